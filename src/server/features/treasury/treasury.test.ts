import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Treasury } from '#contract/schemas/treasury.ts'
import { mostTreasuryWallets } from '#contract/treasury.ts'
import { takeLease } from '#server/db/lease.ts'
import { runJob } from '#test/support/jobs.ts'
import { startFakeNode } from '#test/support/fakes/chain-node.ts'
import { makeMember, makeWallet, newAddress } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const [node, second] = [await startFakeNode(), await startFakeNode()]
const server = await startServer({ BSC_RPC_URLS: `${node.url} ${second.url}` })
afterAll(async () => {
  await node.close()
  await second.close()
})
const ada = server.as('ada')
const address = (digit: string, n: number) => `0x${n.toString(16).padStart(40, digit)}`
const [gold, six] = [address('c', 1), address('c', 2)]
const own = address('e', 1)

async function register(...list: [string, string, number][]) {
  await server.sql('DELETE FROM tokens')
  for (const [contract, symbol, decimals] of list)
    await server.sql(
      `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol, decimals)
       VALUES ('earning', 'x', 'Solar', $1, $2, $3)`,
      [contract, symbol, decimals],
    )
}
const treasury = async (method: 'GET' | 'POST' = 'GET') => {
  const reply = await ada(method, `/api/chain/treasury${method === 'POST' ? '/readings' : ''}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Treasury>()
}
const addWallet = (body: object) => ada('POST', '/api/chain/treasury/wallets', body)

const addWallets = (count: number) =>
  server.sql(
    `INSERT INTO wallets (member_id, address) SELECT (SELECT id FROM members LIMIT 1), '0x' || repeat('9', 36) || lpad(n::text, 4, '0')
     FROM generate_series(1, $1::int) n`,
    [count],
  )

const members: string[] = []
beforeEach(async () => {
  await server.sql('TRUNCATE treasury_wallets, treasury_readings RESTART IDENTITY')
  await server.sql('DELETE FROM members')
  members.length = 0
  for (let n = 0; n < 3; n++) members.push((await makeWallet(server, (await makeMember(server)).id)).address)
  for (const each of [node, second]) {
    Object.assign(each, { fault: null })
    Object.assign(each.facts, { chainId: 56, fork: 0, mostCalls: Infinity, block: 48_000_000n })
    Object.assign(each.facts, { at: Math.floor(Date.now() / 1000), otherBalance: 0n })
    for (const map of [each.facts.balances, each.facts.holdings, each.facts.supplies]) map.clear()
    each.facts.hogs.clear()
    each.facts.supplies.set(gold, 1000n * 10n ** 18n).set(six, 0n)
    each.facts.holdings
      .set(`${gold}/${members[0]}`, 10n ** 18n + 1n)
      .set(`${gold}/${members[1]}`, 249n * 10n ** 18n)
      .set(`${gold}/${own}`, 5n * 10n ** 18n)
      .set(`${six}/${members[2]}`, 2_000_001n)
  }
  await register([gold, 'GOLD', 18], [six, 'SIX', 6])
})

describe('the reading', () => {
  test('sums all members and the own wallets exactly, all of one final block (product 5.8)', async () => {
    await addWallet({ address: own, label: 'Payouts' })
    expect((await treasury()).reading).toBeNull()
    const read = await treasury('POST')
    expect(read).toMatchObject({ isChainOn: true, failure: null, wallets: [{ address: own, label: 'Payouts' }] })
    expect(read.reading).toEqual({
      blockNumber: 47_999_985,
      blockAt: new Date((node.facts.at - 15) * 1000).toISOString(),
      readAt: expect.stringMatching(/Z$/),
      wallets: 3,
      tokens: [
        {
          contractAddress: gold,
          tokenSymbol: 'GOLD',
          projectName: 'Solar',
          members: '250.000000000000000001',
          holders: 2,
          own: '5',
          ownWallets: [{ address: own, balance: '5' }],
          supply: '1000',
          membersShare: '25',
          ownShare: '0.5',
          problem: null,
        },
        {
          contractAddress: six,
          tokenSymbol: 'SIX',
          projectName: 'Solar',
          members: '2.000001',
          holders: 1,
          own: '0',
          ownWallets: [{ address: own, balance: '0' }],
          supply: '0',
          membersShare: null,
          ownShare: null,
          problem: null,
        },
      ],
    })
    expect(await treasury()).toEqual(read)
  })

  test('of more wallets than one page has is exact, also in calls of a few', async () => {
    await addWallets(1700)
    for (const each of [node, second]) {
      each.facts.mostCalls = 64
      for (let n = 1; n <= 1700; n++)
        each.facts.holdings.set(`${gold}/0x${'9'.repeat(36)}${String(n).padStart(4, '0')}`, 3n)
    }
    const { reading, failure } = await treasury('POST')
    expect(failure).toBeNull()
    expect(reading).toMatchObject({ wallets: 1703, tokens: [{ members: '250.000000000000005101', holders: 1702 }, {}] })
  })

  test('that fails keeps the older figures, says why and since when, and is tried again', async () => {
    const before = await treasury('POST')
    for (const each of [node, second]) each.fault = (response) => response.writeHead(500).end('no')
    const after = await treasury('POST')
    expect(after.reading).toEqual(before.reading)
    expect(after.failure).toEqual({ problem: 'The blockchain cannot be reached', at: expect.stringMatching(/Z$/) })
    for (const each of [node, second]) each.fault = null
    expect((await treasury('POST')).failure).toBeNull()
  })

  test('never adds up a part: a token that is not read of a wallet has no figures', async () => {
    for (const each of [node, second]) {
      each.facts.supplies.delete(six)
      each.facts.balances.set(six, 'reverts')
    }
    const { reading } = await treasury('POST')
    expect(reading?.tokens).toMatchObject([
      { members: '250.000000000000000001', problem: null },
      {
        members: null,
        holders: null,
        own: null,
        ownWallets: [],
        supply: null,
        membersShare: null,
        problem: 'call_failed',
      },
    ])
  })

  test('passes over a node of other blocks, and one of another chain', async () => {
    node.facts.chainId = 97
    expect((await treasury('POST')).failure).toBeNull()
    node.facts.chainId = 56
    second.facts.fork = 7
    // The first is suspended now, so the second chooses the block, and then stands alone.
    const { reading } = await treasury('POST')
    expect(reading?.blockNumber).toBe(47_999_985)
  })

  const runOnce = () => runJob(server.services, 'read-treasury')
  const age = (column: string, minutes: number) =>
    server.sql(`UPDATE treasury_readings SET ${column} = now() - $1 * interval '1 minute'`, [minutes])
  const readBlock = async () => (await treasury()).reading?.blockNumber

  test('is taken by the job when the last one is ten minutes old', async () => {
    await runOnce()
    expect(await readBlock()).toBe(47_999_985)
    for (const each of [node, second]) each.facts.block += 100n
    await runOnce()
    expect(await readBlock()).toBe(47_999_985)
    await age('read_at', 11)
    await runOnce()
    expect(await readBlock()).toBe(48_000_085)
  })

  test('that fails is tried again by the job after longer and longer pauses', async () => {
    for (const each of [node, second]) each.fault = (response) => response.writeHead(500).end('no')
    const readFailures = async () => (await server.sql('SELECT failures FROM treasury_readings'))[0]?.['failures']
    await runOnce()
    for (const [at, minutes] of [1, 2, 4, 8, 16, 32, 32].entries()) {
      await age('failed_at', minutes - 0.5)
      await runOnce()
      expect(await readFailures(), `after ${minutes} minutes`).toBe(at + 1)
      await age('failed_at', minutes + 0.5)
      await runOnce()
      expect(await readFailures()).toBe(at + 2)
    }
    for (const each of [node, second]) each.fault = null
    await treasury('POST')
    expect(await readFailures()).toBe(0)
  })

  test('that takes too long fails its job, and blames no node', async () => {
    await treasury('POST')
    const before = server.services.chain.nodes.health()
    await addWallets(1700)
    await age('read_at', 11)
    let lateMs = 0
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + lateMs)
    // The first balance of a wallet makes it late.
    const otherBalance = { toString: () => String((lateMs = 46_000)) } as never
    for (const { facts } of [node, second]) Object.assign(facts, { otherBalance })
    const problem = 'After 45 seconds only the first 1,600 wallets of members were read, and a sum needs all of them'
    await expect(runOnce()).rejects.toThrow(problem)
    clock.mockRestore()
    expect((await treasury()).failure).toEqual({ problem, at: expect.any(String) })
    expect(server.services.chain.nodes.health()).toEqual(before)
  })

  test('is taken by one server at a time', async () => {
    const lease = await takeLease(server.services.database, 'treasury 56', 60)
    await runOnce()
    expect(await readBlock()).toBeUndefined()
    await lease!.release()
    await runOnce()
    expect(await readBlock()).toBe(47_999_985)
  })
})

describe('own wallets', () => {
  test('are added, renamed and removed, with audit rows', async () => {
    const mixed = '0x52908400098527886E0F7030069857D2E4169EE7'
    expect((await addWallet({ address: mixed, label: ' Payouts ' })).json()).toEqual({
      message: 'Own wallet added',
      wallet: {
        id: '1',
        address: mixed.toLowerCase(),
        label: 'Payouts',
        memberId: null,
        createdAt: expect.any(String),
        createdBy: 'ada',
        version: 1,
      },
    })
    const renamed = await ada('PATCH', '/api/chain/treasury/wallets/1', { label: 'Cold' }, { 'if-match': '"1"' })
    expect(renamed.json().wallet).toMatchObject({ label: 'Cold', version: 2 })
    const stale = await ada('DELETE', '/api/chain/treasury/wallets/1', undefined, { 'if-match': '"1"' })
    expect([stale.statusCode, stale.json().code]).toEqual([409, 'stale'])
    expect((await ada('DELETE', '/api/chain/treasury/wallets/1')).json()).toEqual({ message: 'Own wallet removed' })
    expect((await treasury()).wallets).toEqual([])
    const rows = await server.sql(
      "SELECT action, target_id AS id, details FROM audit_log l WHERE details ->> 'address' = $1 ORDER BY l.id",
      [mixed.toLowerCase()],
    )
    expect(rows).toEqual([
      { action: 'save_treasury_wallet', id: '1', details: { address: mixed.toLowerCase(), after: 'Payouts' } },
      {
        action: 'save_treasury_wallet',
        id: '1',
        details: { address: mixed.toLowerCase(), before: 'Payouts', after: 'Cold' },
      },
      { action: 'remove_treasury_wallet', id: '1', details: { address: mixed.toLowerCase(), before: 'Cold' } },
    ])
  })

  test('are refused with a wrong checksum, twice, and where a member has them', async () => {
    await addWallet({ address: own, label: 'Payouts' })
    const refusals = [
      await addWallet({ address: '0x52908400098527886E0F7030069857D2E4169Ee7', label: 'A' }),
      await addWallet({ address: '0x12', label: 'A' }),
      await addWallet({ address: newAddress(), label: '  ' }),
      await addWallet({ address: own.toUpperCase().replace('0X', '0x'), label: 'Again' }),
      await addWallet({ address: members[0]!, label: 'Mine' }),
      await ada('PATCH', '/api/chain/treasury/wallets/77', { label: 'A' }),
      await ada('DELETE', '/api/chain/treasury/wallets/x'),
    ]
    expect(refusals.map((reply) => [reply.statusCode, reply.json().code])).toEqual([
      [400, 'invalid'],
      [400, 'invalid'],
      [400, 'invalid'],
      [409, 'treasury_wallet_taken'],
      [409, 'wallet_taken'],
      [404, 'not_found'],
      [400, 'invalid'],
    ])
    expect((await treasury()).wallets).toHaveLength(1)
  })

  test('are at most 100, also when many come at once', async () => {
    await server.sql(
      `INSERT INTO treasury_wallets (address, label, created_by)
       SELECT '0x' || repeat('f', 36) || lpad(n::text, 4, '0'), 'W', 'ada' FROM generate_series(1, $1::int) n`,
      [mostTreasuryWallets - 2],
    )
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => addWallet({ address: address('e', n), label: `E${n}` })),
    )
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2)
    expect(replies.find(({ statusCode }) => statusCode !== 200)!.json().code).toBe('treasury_wallet_limit')
  })

  test('that a member registers later are named as such', async () => {
    await addWallet({ address: own, label: 'Payouts' })
    const { id } = await makeMember(server)
    await server.sql('INSERT INTO wallets (member_id, address) VALUES ($1, $2)', [id, own])
    expect((await treasury()).wallets).toMatchObject([{ address: own, memberId: id }])
  })
})
