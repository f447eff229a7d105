import { expect, test } from 'vitest'
import { standardScopes } from '#contract/scopes.ts'
import type { Ctx } from '#server/core/context.ts'
import { sha256 } from '#server/lib/hash.ts'
import { startServer } from '#test/support/server.ts'
import { findKey } from './find-key.ts'
import { createKey, listKeys, type NewKey, revokeKey } from './keys.ts'

const server = await startServer()
const ctx: Ctx = { ...server.system, actor: { kind: 'command', name: 'npm run admin (ada)' } }
const make = (name: string, more: Partial<NewKey> = {}) => createKey(ctx, { name, ...more })
const find = (key: string, from = '192.0.2.1') => findKey(server.services.database, key, from)
const found = { scopes: standardScopes, isAllowedFrom: true, state: 'valid' }
const audits = (name: string) =>
  server.sql(
    `SELECT action, actor_name, details FROM audit_log WHERE target_type = 'platform_key' AND target_id = $1`,
    [name],
  )

test('a key is 32 random bytes, stored and audited without them (product 10.1)', async () => {
  const { key } = await make('shop', { callsPerSecond: 7 })
  expect(key).toMatch(/^bok_[\w-]{43}$/)
  const [row] = await server.sql(`SELECT * FROM platform_keys WHERE name = 'shop'`)
  expect(row).toMatchObject({
    key_hash: sha256(key),
    hint: key.slice(-4),
    calls_per_second: 7,
    scopes: standardScopes,
    allowed_from: null,
    created_by: 'npm run admin (ada)',
    expires_at: null,
    last_used_at: null,
  })
  expect(await audits('shop')).toEqual([
    {
      action: 'create_key',
      actor_name: 'npm run admin (ada)',
      details: { endsIn: key.slice(-4), callsPerSecond: 7, scopes: standardScopes, allowedFrom: null, expiresAt: null },
    },
  ])
  const everything = JSON.stringify([row, await audits('shop')])
  expect(everything).not.toContain(key.slice(4, -4))
  expect(await find(key)).toEqual({ ...found, name: 'shop', callsPerSecond: 7, endsAt: null })
  expect(await find(`${key}x`)).toBeNull()
})

test.each(['', 'a b', 'ä', 'a/b', 'a:b', 'x'.repeat(65), "a';--", 'a\0', '-f', '.', '_a'])(
  '%j is not a name of a key (product 10.1)',
  async (name) => {
    await expect(make(name)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('name') })
  },
)

test("a key's name is used once for ever, whatever its capitals (product 10.1)", async () => {
  await make('once')
  await expect(make('once')).rejects.toThrow(/named once before/)
  await revokeKey(ctx, 'ONCE')
  for (const again of ['once', 'Once']) await expect(make(again)).rejects.toThrow(/before/)
  for (const name of ['PLATFORM_API_KEY', 'platform_api_key']) {
    await expect(make(name)).rejects.toThrow(/setting/)
    await expect(revokeKey(ctx, name)).rejects.toThrow(/setting/)
  }
  expect(await audits('once')).toHaveLength(2)
})

test('of eight keys made at once under one name one is made (product 10.1)', async () => {
  const made = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => make(n % 2 ? 'race' : 'Race')))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const [{ name } = { name: '' }] = await server.sql<{ name: string }>(
    `SELECT name FROM platform_keys WHERE lower(name) = 'race'`,
  )
  expect(await audits(name)).toHaveLength(1)
  const revoked = await Promise.allSettled(Array.from({ length: 8 }, () => revokeKey(ctx, 'race')))
  expect(revoked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await audits(name)).map(({ action }) => action)).toEqual(['create_key', 'revoke_key'])
})

test("a key's rate is 1 to 10,000 calls a second, 50 by default (product 10.1)", async () => {
  for (const callsPerSecond of [0, 10_001, 1.5, -1, NaN])
    await expect(make('rate', { callsPerSecond })).rejects.toMatchObject({ code: 'invalid', message: /^rate: / })
  for (const expiresAt of ['2020-01-01T00:00:00Z', new Date().toISOString()])
    await expect(make('late', { expiresAt })).rejects.toMatchObject({ code: 'invalid', message: /^expires: / })
  await make('most', { callsPerSecond: 10_000 })
  const { key } = await make('ends', { expiresAt: '2999-01-31T00:00:00Z' })
  expect(await find(key)).toEqual({ ...found, name: 'ends', callsPerSecond: 50, endsAt: '2999-01-31T00:00:00.000Z' })
  expect(await server.sql(`SELECT FROM platform_keys WHERE name IN ('rate', 'late')`)).toEqual([])
})

test('a key is valid, expired or revoked by the clock of the database (product 10.1)', async () => {
  const { key } = await make('a-first', { expiresAt: '2999-01-31T00:00:00Z' })
  const state = async () => {
    const listed = (await listKeys(ctx)).find(({ name }) => name === 'a-first')
    return [(await find(key))?.state, listed?.state]
  }
  expect(await state()).toEqual(['valid', 'valid'])
  await server.sql(`UPDATE platform_keys SET expires_at = now() - interval '1 second' WHERE name = 'a-first'`)
  expect(await state()).toEqual(['expired', 'expired'])
  await revokeKey(ctx, 'a-first')
  expect(await state()).toEqual(['revoked', 'revoked'])
  await expect(revokeKey(ctx, 'a-first')).rejects.toThrow(
    /^The platform key a-first is already revoked \(on \w{3} \d\d, \d{4} at .+ UTC\)$/,
  )
  await expect(revokeKey(ctx, 'nobody')).rejects.toMatchObject({
    code: 'not_found',
    message: 'No platform key is named nobody',
  })
  const [first] = await listKeys(ctx)
  expect(first).toMatchObject({ name: 'a-first', hint: key.slice(-4), createdBy: 'npm run admin (ada)' })
  expect(first).not.toHaveProperty('keyHash')
})

test('the last use is noted once a minute and never waits for a held row (product 10.1)', async () => {
  const { key } = await make('used')
  const used = async () =>
    (
      await server.sql<{ at: string | null; last_used_from: string | null }>(
        `SELECT last_used_at::text AS at, last_used_from FROM platform_keys WHERE name = 'used'`,
      )
    )[0]!
  const holder = await server.services.database.pool.connect()
  await holder.query(`BEGIN; SELECT FROM platform_keys WHERE name = 'used' FOR UPDATE`)
  expect(await find(key)).toMatchObject({ state: 'valid' })
  await holder.query('ROLLBACK')
  holder.release()
  expect(await used()).toEqual({ at: null, last_used_from: null })

  await Promise.all(Array.from({ length: 8 }, () => find(key, '192.0.2.7')))
  const first = await used()
  expect(first).toEqual({ at: expect.any(String), last_used_from: '192.0.2.7' })
  await find(key, '192.0.2.8')
  expect(await used()).toEqual(first)
  await server.sql(`UPDATE platform_keys SET last_used_at = now() - interval '61 seconds' WHERE name = 'used'`)
  await find(key, '192.0.2.8')
  expect((await used()).last_used_from).toBe('192.0.2.8')

  await revokeKey(ctx, 'used')
  await server.sql(`UPDATE platform_keys SET last_used_at = NULL WHERE name = 'used'`)
  await find(key)
  expect((await used()).at).toBeNull()
})

const daysLeft = async (name: string) =>
  (
    await server.sql<{ days: number }>(
      `SELECT extract(epoch FROM expires_at - created_at)::float8 / 86400 AS days FROM platform_keys WHERE name = $1`,
      [name],
    )
  )[0]!.days

test('a key with history ends after 7 days by itself, or earlier (product 10.1)', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString()
  const made = await make('history-1', { scopes: ['imports.write', 'history'] })
  expect(await daysLeft('history-1')).toBeCloseTo(7, 6)
  const [stored] = await server.sql(`SELECT expires_at FROM platform_keys WHERE name = 'history-1'`)
  expect(stored).toEqual({ expires_at: new Date(made.expiresAt!) })
  await make('history-2', { scopes: ['history'], expiresInDays: 7 })
  expect(await daysLeft('history-2')).toBeCloseTo(7, 6)
  await make('history-3', { scopes: ['history'], expiresAt: inDays(1) })
  expect(await daysLeft('history-3')).toBeCloseTo(1, 3)
  for (const end of [{ expiresInDays: 8 }, { expiresAt: inDays(8) }, { expiresAt: '2999-01-31T00:00:00Z' }])
    await expect(make('history-4', { scopes: ['history'], ...end })).rejects.toMatchObject({
      code: 'invalid',
      message: 'expires: must be at most 7 days away for a key with the scope history',
    })
  expect(await server.sql(`SELECT FROM platform_keys WHERE name = 'history-4'`)).toEqual([])
})

test('the database holds no key with history beyond 7 days, and none without a scope', async () => {
  const change = (set: string) => server.sql(`UPDATE platform_keys SET ${set} WHERE name = 'history-1'`)
  await expect(change('expires_at = NULL')).rejects.toThrow(/platform_keys_history/)
  await expect(change(`expires_at = created_at + interval '7 days 1 second'`)).rejects.toThrow(/platform_keys_history/)
  await expect(change(`scopes = '{}'`)).rejects.toThrow(/platform_keys_scopes/)
  await expect(change(`allowed_from = '{}'`)).rejects.toThrow(/platform_keys_networks/)
})
