import { expect } from 'vitest'
import type { ImportResult } from '#contract/schemas/platform.ts'
import { platformKey, type TestServer } from './server.ts'

export const importUrl = '/api/platform/v1/import'
export const importHeaders = { authorization: `Bearer ${platformKey}`, 'content-type': 'application/x-ndjson' }

/** Sends lines as the platform does: an object is a line, a string stands as it is. */
export const createImporter =
  (server: TestServer) =>
  async (...lines: (object | string)[]): Promise<ImportResult> => {
    const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
    const reply = await server.as(null)('POST', importUrl, body, importHeaders)
    expect(reply.statusCode, reply.body).toBe(200)
    return reply.json()
  }

export const buildMemberLine = (id: string, more: object = {}) => ({
  type: 'member',
  id,
  email: `${id}@example.com`,
  ...more,
})

export const pickCounts = ({ created, updated, unchanged, refused }: ImportResult) => ({
  created,
  updated,
  unchanged,
  refused,
})
