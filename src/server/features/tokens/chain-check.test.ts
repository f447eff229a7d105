import { afterAll, beforeEach, expect, test } from 'vitest'
import { findDifferences } from '#contract/tokens.ts'
import { runJob } from '#test/support/jobs.ts'
import { type Fault, startFakeNode } from '#test/support/fakes/chain-node.ts'
import { holdTimers } from '#test/support/held-timers.ts'
import { holdTimeouts } from '#test/support/held-timeouts.ts'
import { newAddress } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const node = await startFakeNode()
const timeouts = holdTimeouts()
const server = await startServer({ BSC_RPC_URLS: node.url, BSC_RPC_TIMEOUT_MS: '8000', BSC_RPC_DEADLINE_MS: '8000' })
const off = await startServer()
afterAll(() => node.close())

const ask = async (address: string, of = server) => of.as('ada')('GET', `/api/chain/contracts/${address}`)
const check = () => runJob(server.services, 'check-tokens')
const nothing = { name: null, symbol: null, decimals: null }
const solar = { hasCode: true, name: 'Solar Park', symbol: 'SOLR', decimals: 6n }

async function register(contractAddress: string, of = server) {
  const body = { projectName: 'Solar Park', tokenSymbol: 'SOLR', contractAddress }
  const reply = await of.as('ada')('POST', '/api/tokens/earning', body)
  return reply.json().token as { id: string; version: number }
}
async function listed(id: string, of = server) {
  const reply = await of.as('ada')('GET', '/api/tokens/earning')
  const tokens: { id: string; version: number; chain: unknown }[] = reply.json()
  return tokens.find((token) => token.id === id)!
}

beforeEach(async () => {
  node.fault = null
  node.calls.length = 0
  node.facts.chainId = 56
  node.facts.contracts.clear()
  await server.sql('DELETE FROM tokens')
})

test("a contract's own data is answered beside the operator's and never blocks (product 6.7)", async () => {
  const address = newAddress()
  node.facts.contracts.set(address, solar)
  const reply = await ask(address.toUpperCase().replace('0X', '0x'))
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    { state: 'read', name: 'Solar Park', symbol: 'SOLR', decimals: 6 },
  ])
  expect((await ask(newAddress())).json()).toEqual({ state: 'no_contract', ...nothing })
  expect((await ask(address, off)).json()).toEqual({ state: 'off', ...nothing })
})

test('names as bytes32 are read, endless or broken ones are not', async () => {
  const [old, broken, other] = [newAddress(), newAddress(), newAddress()]
  const bytes32 = (text: string) => ({ raw: `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}` as const })
  node.facts.contracts.set(old, { hasCode: true, name: bytes32('Maker'), symbol: bytes32('MKR'), decimals: 18n })
  node.facts.contracts.set(broken, { hasCode: true, name: { raw: '0xabcd' }, symbol: 'x'.repeat(5000), decimals: 300n })
  node.facts.contracts.set(other, { hasCode: true })
  expect((await ask(old)).json()).toMatchObject({ name: 'Maker', symbol: 'MKR', decimals: 18 })
  expect((await ask(broken)).json()).toEqual({ state: 'read', name: null, symbol: 'x'.repeat(200), decimals: null })
  expect((await ask(other)).json()).toEqual({ state: 'read', ...nothing })
})

test('a token built into the chain is a token without code', async () => {
  const address = newAddress()
  node.facts.contracts.set(address, { ...solar, hasCode: false })
  expect((await ask(address)).json()).toMatchObject({ state: 'read', symbol: 'SOLR' })
})

const status =
  (code: number): Fault =>
  (response) =>
    void response.writeHead(code).end('{}')
const failed: Fault = (response, { id }) =>
  void response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted' } }))
test.each<[string, Fault]>([
  ['HTTP 500', status(500)],
  ['HTTP 429', status(429)],
  ['HTML', (response) => void response.end('<html>')],
  ['a reset', (response) => void response.destroy()],
  ['a refusal of every call', failed],
])('a node that answers %s is 200 unreachable, and asked again at the next try', async (_what, fault) => {
  const address = newAddress()
  node.facts.contracts.set(address, solar)
  node.fault = fault
  const reply = await ask(address)
  expect([reply.statusCode, reply.json()]).toEqual([200, { state: 'unreachable', ...nothing }])
  node.fault = null
  expect((await ask(address)).json()).toMatchObject({ state: 'read' })
})

test('a silent node is 200 unreachable within three seconds', async () => {
  const address = newAddress()
  node.fault = () => {}
  await ask('signs in')
  const limits = holdTimers(3000)
  const replies = Promise.all(Array.from({ length: 8 }, () => ask(address)))
  // Connecting to the database has a limit of the same length.
  const { pool } = server.services.database
  await expect.poll(() => [limits.count(3000), pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([8, 0, 0])
  limits.end(3000)
  for (const reply of await replies) expect([reply.statusCode, reply.json().state]).toEqual([200, 'unreachable'])
  expect(node.calls.length).toBeLessThan(8)
  timeouts.expire(node.url)
})

test('an invalid address is 400 and never reaches the node', async () => {
  for (const bad of ['abc', `0x${'1'.repeat(39)}`, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', '%00']) {
    const reply = await ask(bad)
    expect([reply.statusCode, reply.json().code], bad).toEqual([400, 'invalid'])
  }
  expect((await server.as(null)('GET', `/api/chain/contracts/${newAddress()}`)).statusCode).toBe(401)
  expect(node.calls).toEqual([])
})

test('a registered token is checked in the background', async () => {
  const address = newAddress()
  node.facts.contracts.set(address, solar)
  const { id, version } = await register(address)
  expect((await listed(id)).chain).toBeNull()
  await check()
  expect(await listed(id)).toMatchObject({
    version,
    chain: { hasCode: true, name: 'Solar Park', symbol: 'SOLR', decimals: 6, checkedAt: expect.stringMatching(/Z$/) },
  })
  const toggled = await server.as('ada')('PATCH', `/api/tokens/earning/${id}`, { isActive: false })
  expect(toggled.json().token.chain).toMatchObject({ decimals: 6 })
  const events = await server.sql(`SELECT payload FROM platform_events WHERE payload->>'tokenId' = $1`, [id])
  expect(events.map(({ payload }) => Object.keys(payload as object).filter((key) => key.startsWith('chain')))).toEqual([
    [],
    [],
  ])
  expect(await server.sql("SELECT action FROM audit_log WHERE actor_name = 'check-tokens'")).toEqual([])
})

test('nothing is stored while the chain is away, and tokens are checked later', async () => {
  const [bad, good] = [newAddress(), newAddress()]
  node.facts.contracts.set(good, solar)
  const first = await register(bad)
  const second = await register(good)
  node.fault = status(500)
  await check()
  expect([(await listed(first.id)).chain, (await listed(second.id)).chain]).toEqual([null, null])
  node.fault = null
  await check()
  expect([(await listed(first.id)).chain, (await listed(second.id)).chain]).toEqual([
    null,
    expect.objectContaining({ decimals: 6 }),
  ])
  await check()
  expect((await listed(first.id)).chain).toMatchObject({ hasCode: false })
})

test('a token is checked again after a day, a missing contract after ten minutes', async () => {
  const [fresh, old, missing] = [newAddress(), newAddress(), newAddress()]
  for (const address of [fresh, old]) node.facts.contracts.set(address, solar)
  const ids = { fresh: await register(fresh), old: await register(old), missing: await register(missing) }
  await check()
  node.calls.length = 0
  await check()
  expect(node.calls).toEqual([])
  expect((await listed(ids.missing.id)).chain).toMatchObject({ hasCode: false, ...nothing })
  await server.sql(`UPDATE tokens SET chain_checked_at = now() - interval '25 hours' WHERE id = $1`, [ids.old.id])
  await server.sql(`UPDATE tokens SET chain_checked_at = now() - interval '11 minutes' WHERE id <> $1`, [ids.old.id])
  const due = await server.sql('SELECT id::text, chain_checked_at FROM tokens ORDER BY id')
  await check()
  const after = await server.sql('SELECT id::text, chain_checked_at FROM tokens ORDER BY id')
  const asked = after.filter((row, at) => String(row.chain_checked_at) !== String(due[at]!.chain_checked_at))
  expect(asked.map(({ id }) => id)).toEqual([ids.old.id, ids.missing.id])
})

test('with the chain off nothing is asked and the registry says nothing', async () => {
  const { id } = await register(newAddress(), off)
  await runJob(off.services, 'check-tokens')
  expect((await listed(id, off)).chain).toBeNull()
})

test('a difference is in symbol, decimals or existence, never in the name', () => {
  const here = { tokenSymbol: 'SOLR', decimals: 18 }
  const says = { name: 'Anything', symbol: 'solr', decimals: 18 }
  expect(findDifferences(here, says)).toEqual([])
  expect(findDifferences(here, { ...says, decimals: null, symbol: null })).toEqual([])
  expect(findDifferences({ tokenSymbol: ' ', decimals: null }, says)).toEqual([])
  expect(findDifferences(here, { ...says, symbol: 'MOON', decimals: 6 }).map(({ text }) => text)).toEqual([
    'symbol: MOON on the chain, SOLR here',
    'decimals: 6 on the chain, 18 here',
  ])
  expect(findDifferences(here, nothing).map(({ field }) => field)).toEqual(['contractAddress'])
})
