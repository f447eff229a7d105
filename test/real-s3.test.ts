import { describe, vi } from 'vitest'

// What is proven on the store for tests, on one in production use: OpenStack Swift.
vi.stubEnv('TEST_S3', 'swift')
describe('files', async () => void (await import('#server/adapters/file-store.test.ts')))
describe('objects', async () => void (await import('#server/adapters/bucket-objects.test.ts')))
describe('documents', async () => void (await import('./document-store.test.ts')))
describe('back-ups', async () => void (await import('#server/features/backups/bucket.test.ts')))
