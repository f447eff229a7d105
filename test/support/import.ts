import { expect } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import type { ImportResult } from '#contract/schemas/platform.ts'
import { createKey, maxCallsPerSecond } from '#server/features/keys/keys.ts'
import { platformKey, type TestServer } from './server.ts'

export const importUrl = '/api/platform/v1/import'
export const importHeaders = { authorization: `Bearer ${platformKey}`, 'content-type': 'application/x-ndjson' }

export const historyKeyName = 'move-in'
const historyKeys = new WeakMap<TestServer, Promise<{ key: string }>>()

/** The headers of an import with the key that moves a platform in: it has every scope, `history` too. */
export async function createHistoryHeaders(server: TestServer): Promise<typeof importHeaders> {
  const wanted = { name: historyKeyName, scopes, callsPerSecond: maxCallsPerSecond }
  if (!historyKeys.has(server)) historyKeys.set(server, createKey(server.system, wanted))
  const { key } = await historyKeys.get(server)!
  return { ...importHeaders, authorization: `Bearer ${key}` }
}

/** Sends lines as a platform does that moves in: an object is a line, a string stands as it is. */
export const createImporter =
  (server: TestServer) =>
  async (...lines: (object | string)[]): Promise<ImportResult> => {
    const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
    const reply = await server.as(null)('POST', importUrl, body, await createHistoryHeaders(server))
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
