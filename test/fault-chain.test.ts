import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from './support/eventually.ts'
import {
  clearChainData,
  type RegisteredItems,
  registerTokens,
  registerWallets,
  readRows,
  buildExpectedRows,
  startReader,
} from './support/chain-reader.ts'
import { startConnectionCutter } from './support/connection-cutter.ts'
import { endLeases } from './support/leases.ts'
import { FakeChain, startFakeChainNode, transfer } from './support/fakes/fake-chain.ts'
import { startProcess } from './support/server-process.ts'
import { startServer } from './support/server.ts'

const server = await startServer()
const [gold, late, ana, bob, shop] = ['1', '2', 'a', 'b', 'e'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
  string,
  string,
]
const known: RegisteredItems = { tokens: { [gold]: 18, [late]: 6 }, wallets: [ana, bob] }

const someTransfers = (n: number) => [
  transfer({ token: gold, from: shop, to: ana, raw: BigInt(n) }),
  transfer({ token: late, from: ana, to: bob, raw: BigInt(n) }),
]

let chain: FakeChain
beforeEach(async () => {
  await clearChainData(server)
  chain = new FakeChain()
  await registerTokens(server, { address: gold, decimals: 18 })
  await registerWallets(server, ana, bob)
})

/** What stands where a reader died: only what the chain has, and nothing beyond the cursor as final. */
async function expectSound() {
  const all = new Map(buildExpectedRows(chain, known).map((row) => [`${row.transactionHash}/${row.logIndex}`, row]))
  const [cursor] = await server.sql<{ done: number }>('SELECT done_block::int AS done FROM chain_cursors')
  const rows = await readRows(server)
  for (const row of rows) {
    expect(all.get(`${row.transactionHash}/${row.logIndex}`)).toMatchObject({ ...row, status: expect.any(String) })
    if (row.status === 'completed') expect(row.blockNumber).toBeLessThanOrEqual(cursor!.done)
  }
  const final = rows.filter(
    ({ tokenAddress, blockNumber }) => tokenAddress === gold && blockNumber <= (cursor?.done ?? 0),
  )
  expect(final).toHaveLength(
    buildExpectedRows(chain, { ...known, tokens: { [gold]: 18 } }).filter(
      ({ blockNumber }) => blockNumber <= (cursor?.done ?? 0),
    ).length,
  )
}

test('a reader that dies at any statement leaves only real transfers', async () => {
  for (let n = 0; n < 8; n++) chain.mine(someTransfers(n))
  const node = await startFakeChainNode(chain, { mostBlocks: 4 })
  const cutter = await startConnectionCutter()
  onTestFinished(async () => {
    await cutter.close()
    await node.close()
  })
  const environment = { INDEXER_MAX_RANGE: '4' }
  /** A chain that is read, then one more token and a reorganisation, so that every way of writing comes by. */
  async function live(at?: number, isForwarded = false) {
    await clearChainData(server)
    await registerTokens(server, { address: gold, decimals: 18 })
    await registerWallets(server, ana, bob)
    cutter.restart()
    if (at !== undefined) cutter.cut({ at, isForwarded, what: 'server' })
    const reader = await startReader(server, [node], { environment, connection: cutter.connection })
    let isDead = false
    const step = () => reader.read().catch(() => void (isDead = true))
    await step()
    if (!isDead) {
      await registerTokens(server, { address: late, decimals: 6 })
      await step()
    }
    return { reader, statements: [...cutter.statements] }
  }
  const whole = await live()
  await whole.reader.stop()
  const expected = buildExpectedRows(chain, known)
  expect(await readRows(server)).toEqual(expected)
  const commits = [...whole.statements.keys()].filter((n) => /^commit$/i.test(whole.statements[n]!))
  expect(commits.length).toBeGreaterThan(4)
  // Each statement where it comes first, and where its commit is the last thing that PostgreSQL hears.
  const cuts = [...new Set(whole.statements)].map((text) => [whole.statements.indexOf(text) + 1, false] as const)
  const unanswered = commits.filter((_, n) => n % 3 === 0).map((at) => [at + 1, true] as const)
  for (const [at, isForwarded] of [...cuts, ...unanswered]) {
    const dead = await live(at, isForwarded)
    await expectSound()
    cutter.restart()
    await dead.reader.stop()
    // While its last transaction ends, nobody takes over what it was reading.
    await server.sql('SELECT FROM leases FOR UPDATE')
    await endLeases(server)
    await server.sql('DELETE FROM tokens WHERE contract_address = $1', [late])
    await registerTokens(server, { address: late, decimals: 6 })
    const next = await startReader(server, [node], { environment })
    await next.read()
    await next.stop()
    expect(await readRows(server), `died at ${at}: ${whole.statements[at - 1]}`).toEqual(expected)
  }
})

/** Starts a node of `blocks` blocks. Returns the settings of servers that read it. */
async function startNode(blocks: number, behaviour: { mostBlocks?: number } = {}) {
  await registerTokens(server, { address: late, decimals: 6 })
  for (let n = 0; n < blocks; n++) chain.mine(someTransfers(n))
  const node = await startFakeChainNode(chain, behaviour)
  onTestFinished(() => node.close())
  return {
    CHAIN_MODE: 'rpc',
    BSC_RPC_URLS: node.url,
    INDEXER_START_BLOCK: '0',
    INDEXER_POLL_MS: '200',
    INDEXER_CONFIRMATIONS: '2',
  }
}

const count = async () => (await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM chain_transactions'))[0]!.n

test('a reader killed by SIGKILL loses no transfer', async () => {
  const environment = await startNode(400, { mostBlocks: 3 })
  const killed = await startProcess(server, environment)
  await vi.waitUntil(async () => (await count()) >= 40, { interval: 5, timeout: 60_000 })
  await killed.kill()
  // PostgreSQL may still commit what it was sent last.
  await eventually(expectSound)
  await endLeases(server)
  await startProcess(server, environment)
  const expected = buildExpectedRows(chain, known)
  await vi.waitUntil(async () => (await count()) === expected.length, { interval: 20, timeout: 60_000 })
  await eventually(async () => expect(await readRows(server)).toEqual(expected))
})

test('a reader frozen by SIGSTOP is overtaken, and wakes without harm', async () => {
  const environment = await startNode(10)
  const readAll = () => eventually(async () => expect(await readRows(server)).toEqual(buildExpectedRows(chain, known)))
  const readHolder = async () =>
    (await server.sql<{ server: string }>(`SELECT server FROM leases WHERE name LIKE 'chain indexer %'`))[0]?.server
  const frozen = await startProcess(server, environment)
  await readAll()
  const first = await readHolder()
  await startProcess(server, environment)
  expect(await readHolder()).toBe(first)
  frozen.signal('SIGSTOP')
  await endLeases(server)
  chain.mine(someTransfers(20), someTransfers(21), someTransfers(22))
  await readAll()
  const second = await readHolder()
  expect(second).not.toBe(first)
  frozen.signal('SIGCONT')
  chain.mine(someTransfers(30), someTransfers(31), someTransfers(32))
  await readAll()
  expect(await readHolder()).toBe(second)
})
