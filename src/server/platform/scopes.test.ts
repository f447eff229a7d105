import { expect, test } from 'vitest'
import type { Route } from '#contract/route.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { describeMissingScope, readScope, scopes, standardScopes, type Scope } from '#contract/scopes.ts'
import { createKey, maxCallsPerSecond } from '#server/features/keys/keys.ts'
import {
  buildMemberLine,
  historyKeyName,
  createHistoryHeaders,
  importHeaders,
  importUrl,
} from '#test/support/import.ts'
import { buildOrderBody } from '#test/support/platform-calls.ts'
import { platformKey, startServer } from '#test/support/server.ts'

const server = await startServer()
const calls = allRoutes
  .filter(({ group, route }) => group === 'platform' && route.access !== 'provider')
  .map(({ route }) => [`${route.method} ${route.path.replace('/api/platform/v1', '')}`, route] as const)

const keys = new Map<string, string>()
for (const scope of scopes) keys.set(scope, await makeKey(`only-${scope}`, [scope]))
async function makeKey(name: string, granted: readonly Scope[]) {
  return (await createKey(server.system, { name, scopes: granted, callsPerSecond: maxCallsPerSecond })).key
}

const send = (key: string, { method, path, consumes }: Route) =>
  server.as(null)(method, path.replace(/:\w+/g, '1'), undefined, {
    authorization: `Bearer ${key}`,
    ...(consumes && { 'content-type': consumes[0]! }),
  })
const listEvents = (key: string) =>
  server.sql<{ severity: string; description: string; details: object }>(
    `SELECT severity, description, details FROM security_events
     WHERE event_type = 'platform_scope_missing' AND details->>'key' = $1 ORDER BY id`,
    [key],
  )

test.each(calls)('%s needs its own scope and no other (product 10.1)', async (_name, route) => {
  const needed = readScope(route.access)
  expect(scopes).toContain(needed)
  for (const [scope, key] of keys) {
    const reply = await send(key, route)
    if (scope === needed) expect([401, 403], scope).not.toContain(reply.statusCode)
    else {
      expect(reply.statusCode, scope).toBe(403)
      expect(reply.json()).toEqual({
        message: describeMissingScope(needed!),
        code: 'scope_missing',
        details: { scope: needed },
      })
    }
  }
})

test('every scope is needed by a call or by lines of an import', () => {
  expect(new Set([...calls.map(([, { access }]) => readScope(access)), 'history'])).toEqual(new Set(scopes))
})

test('a key of any scope opens the API description', async () => {
  for (const key of keys.values())
    expect(
      (await server.as(null)('GET', '/api/openapi.json', undefined, { authorization: `Bearer ${key}` })).statusCode,
    ).toBe(200)
})

test('a refused call changes nothing, and is an audit row', async () => {
  const key = await makeKey('reader', ['members.read'])
  const reply = await server.as(null)(
    'PUT',
    '/api/platform/v1/members/scope-1',
    { email: 'scope-1@example.com' },
    { authorization: `Bearer ${key}` },
  )
  expect([reply.statusCode, reply.json().details]).toEqual([403, { scope: 'members.write' }])
  expect(await server.sql(`SELECT FROM members WHERE id = 'scope-1'`)).toEqual([])
  const readAudits = () => server.sql(`SELECT details FROM audit_log WHERE actor_name = 'platform:reader'`)
  await expect
    .poll(readAudits)
    .toEqual([{ details: { call: 'PUT /members/{id}', status: 403, code: 'scope_missing' } }])
})

test('missing scopes are one medium security event a key and minute, which counts them (product 6.10)', async () => {
  const key = await makeKey('eager', ['orders.read'])
  const find = (name: string) => calls.find(([each]) => each === name)![1]
  const asked = ['GET /members', 'GET /members', 'GET /events'].map(find)
  await Promise.all(asked.map((route) => send(key, route)))
  expect(await listEvents('eager')).toEqual([
    {
      severity: 'medium',
      description:
        'The platform key eager sent 3 calls and lines that it has no scope for: events.read, members.read; refused',
      details: { key: 'eager', refused: 3, missing: ['events.read', 'members.read'] },
    },
  ])
  await server.sql(`UPDATE security_events SET created_at = created_at - interval '1 minute'`)
  await send(key, find('GET /orders'))
  await send(key, find('GET /events'))
  expect((await listEvents('eager')).slice(1)).toMatchObject([
    { description: 'The platform key eager sent a call or line that it has no scope for: events.read; refused' },
  ])
})

const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
const at = (day: number) => `2026-01-0${day}T10:00:00.000Z`
const kyc = (memberId: string) => ({ type: 'kyc', memberId, attempt: 1, step2, submit: true, submittedAt: at(2) })
const decided = (memberId: string) => ({ ...kyc(memberId), decision: { result: 'approved', decidedAt: at(3) } })
const order = (orderNumber: string, memberId: string, more: object = {}) => ({
  type: 'order',
  orderNumber,
  ...buildOrderBody(memberId, { createdAt: at(4) }),
  ...more,
})
const paid = { status: 'paid', paidAt: at(5) }

async function importLines(headers: Record<string, string>, lines: object[], query = '') {
  const body = lines.map((line) => JSON.stringify(line)).join('\n')
  const reply = await server.as(null)('POST', importUrl + query, body, headers)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ accepted: number; errors: { line: number; code: string; message: string }[] }>()
}
const codes = ({ errors }: { errors: { line: number; code: string }[] }) => errors.map(({ line, code }) => [line, code])

test('without history no line decides KYC or money, whether something waits or not (product 10.3)', async () => {
  const lines = [
    buildMemberLine('s-1'),
    decided('s-1'),
    order('S-1', 's-1', paid),
    order('S-2', 's-1', { completedAt: at(5) }),
    order('S-3', 's-1', { notes: 'By phone' }),
    order('S-4', 's-1', { status: 'waiting_payment' }),
    kyc('s-1'),
    decided('s-1'),
    order('S-4', 's-1', paid),
  ]
  const rehearsed = await importLines(importHeaders, lines, '?dryRun=true')
  expect(await listEvents('PLATFORM_API_KEY')).toEqual([])
  const result = await importLines(importHeaders, lines)
  expect(result).toEqual(rehearsed)
  expect(codes(result)).toEqual([2, 3, 4, 5, 8, 9].map((line) => [line, 'scope_missing']))
  expect(result.errors[0]!.message).toBe('decision: needs the scope history, which the platform key does not have')
  expect(result.errors.map(({ message }) => message.split(':')[0])).toEqual([
    'decision',
    'status',
    'completedAt',
    'notes',
    'decision',
    'status',
  ])
  expect(await server.sql(`SELECT kyc_status FROM members WHERE id = 's-1'`)).toEqual([{ kyc_status: 'under_review' }])
  expect(await server.sql(`SELECT order_number, status FROM orders WHERE member_id = 's-1'`)).toEqual([
    { order_number: 'S-4', status: 'waiting_payment' },
  ])
  expect(await listEvents('PLATFORM_API_KEY')).toMatchObject([
    { severity: 'medium', details: { refused: 6, missing: ['history'] } },
  ])
})

test('with history what waits here is refused with a high security event (product 10.3)', async () => {
  await importLines(importHeaders, [buildMemberLine('s-2'), kyc('s-2'), order('S-5', 's-2')])
  const headers = await createHistoryHeaders(server)
  const result = await importLines(headers, [
    decided('s-2'),
    order('S-5', 's-2', paid),
    buildMemberLine('s-3'),
    decided('s-3'),
    order('S-6', 's-3', paid),
  ])
  expect(codes(result)).toEqual([
    [1, 'decision_waits_here'],
    [2, 'decision_waits_here'],
  ])
  expect(await server.sql(`SELECT kyc_status FROM members WHERE id = ANY('{s-2,s-3}') ORDER BY id`)).toEqual([
    { kyc_status: 'under_review' },
    { kyc_status: 'approved' },
  ])
  expect(
    await server.sql(`SELECT severity, details FROM security_events WHERE event_type = 'import_decision_refused'`),
  ).toEqual([{ severity: 'high', details: { actor: historyKeyName, imports: 1, count: 2, firstLine: 1 } }])
})

test('a line of an import needs the scope of its own call too (product 10.3)', async () => {
  const key = await makeKey('orders-only', ['imports.write', 'orders.write'])
  const headers = { ...importHeaders, authorization: `Bearer ${key}` }
  await importLines(importHeaders, [buildMemberLine('s-4')])
  const address = `0x${'1'.repeat(40)}`
  const money = { amount: '1', status: 'completed', createdAt: at(2) }
  const result = await importLines(headers, [
    buildMemberLine('s-5'),
    { type: 'wallet', memberId: 's-4', address },
    kyc('s-4'),
    order('S-7', 's-4'),
    { type: 'transaction', id: 's-t', memberId: 's-4', kind: 'deposit', ...money },
    {
      type: 'fraction',
      id: 's-f',
      memberId: 's-4',
      projectName: 'P',
      amount: '1',
      tokenAddress: address,
      receivedAt: at(2),
    },
    { type: 'token', kind: 'earning', contractAddress: address, projectName: 'P', tokenSymbol: 'P' },
    {
      type: 'chainTransaction',
      transactionHash: `0x${'2'.repeat(64)}`,
      logIndex: 0,
      walletAddress: address,
      transactionType: 'deposit',
      tokenAddress: address,
      ...money,
    },
  ])
  expect(result.accepted).toBe(1)
  expect(result.errors.map(({ line, message }) => [line, /scope (\S+),/.exec(message)?.[1]])).toEqual([
    [1, 'members.write'],
    [2, 'wallets.write'],
    [3, 'kyc.write'],
    [5, 'transactions.write'],
    [6, 'transactions.write'],
    [7, 'tokens.write'],
    [8, 'transactions.write'],
  ])
})

test('the key that is a setting has every scope that need not be named (product 10.1)', async () => {
  for (const [name, route] of calls) {
    const isNamed = readScope(route.access) === 'members.erase'
    expect((await send(platformKey, route)).statusCode === 403, name).toBe(isNamed)
  }
  expect(scopes.filter((scope) => !standardScopes.includes(scope))).toEqual(['members.erase', 'history'])
})
