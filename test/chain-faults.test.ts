import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readRows, buildExpectedRows } from './support/chain-reader.ts'
import { chainFaults, type NamedFault } from './support/fakes/chain-faults.ts'
import { startFakeNode } from './support/fakes/chain-node.ts'
import { startFaultProxy } from './support/fakes/fault-proxy.ts'
import { holdTimeouts } from './support/held-timeouts.ts'
import { setUpIndexing, registered, makeTransfers } from './support/indexer-setup.ts'
import { startServer } from './support/server.ts'

const page = await readFile(join(import.meta.dirname, '../docs/chain-faults.md'), 'utf8')
/** The page's table: what becomes of a balance and of transfers, by the fault's name. */
const outcomes = new Map(
  page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| With'))
    .map((line) => line.slice(2, -2).split(' | '))
    .map(([name, balance, transfers]) => [name, { balance, transfers }]),
)

const timeouts = holdTimeouts()
const balances = await startFakeNode()
const balanceProxy = await startFaultProxy(balances.url, timeouts)
const server = await startServer({ BSC_RPC_URLS: balanceProxy.url, INDEXER: 'off' })
const { world, node, reader, stopReader, mineSome, expectExact, health, events } = setUpIndexing(server)
afterAll(async () => {
  await balanceProxy.close()
  await balances.close()
})

let wallets = 0
async function balanceWith({ fault }: NamedFault): Promise<string> {
  const ask = () => server.as('ada')('GET', `/api/wallet-balance/0x${(++wallets).toString(16).padStart(40, '0')}`)
  balances.facts.balances.set(Object.keys(registered.tokens)[0]!, 7n)
  Object.assign(balances.facts, { block: balances.facts.block + 1n, at: Math.floor(Date.now() / 1000) })
  expect((await ask()).statusCode, 'before the fault').toBe(200)
  balanceProxy.fault = fault
  timeouts.asked.length = 0
  const reply = await ask()
  expect(Math.max(...timeouts.asked)).toBeLessThanOrEqual(4000)
  balanceProxy.fault = null
  expect(reply.body).not.toMatch(/127\.0\.0\.1|key-abc123/)
  expect((await ask()).statusCode, 'after the fault').toBe(200)
  const { code } = reply.json<{ code?: string }>()
  return code ? `${reply.statusCode} \`${code}\`` : 'read'
}

/** The fault appears while blocks are read, and disappears. */
async function transfersWith({ fault }: NamedFault): Promise<string> {
  mineSome(20)
  const proxy = await startFaultProxy((await node()).url, timeouts)
  onTestFinished(() => proxy.close())
  const reads = await reader([proxy])
  await reads.read()
  proxy.fault = fault
  mineSome(30)
  await reads.read()
  const isLike = async (final?: number) =>
    JSON.stringify(await readRows(server)) === JSON.stringify(buildExpectedRows(world.chain, registered, final))
  const outcome = (await isLike())
    ? 'read'
    : (await isLike(18))
      ? 'read, pending for longer'
      : 'read once the fault is over'
  const { problem, indexer } = await health(reads)
  expect(problem ?? '').not.toMatch(/127\.0\.0\.1|key-abc123/)
  if (problem !== null) expect(indexer).toBe('retrying')
  proxy.fault = null
  world.chain.mine(makeTransfers(3))
  await reads.read()
  await reads.read()
  await expectExact()
  expect(await events()).toEqual([])
  await stopReader(reads)
  return problem ?? outcome
}

async function expectReadBeside({ fault }: NamedFault) {
  const proxy = await startFaultProxy((await node()).url, timeouts)
  onTestFinished(() => proxy.close())
  proxy.fault = fault
  const reads = await reader([proxy, await node()])
  mineSome(12)
  await reads.read()
  await expectExact()
}

test.each(chainFaults)('$name', async (fault) => {
  const outcome = { balance: await balanceWith(fault), transfers: await transfersWith(fault) }
  expect(outcome).toEqual(outcomes.get(fault.name))
  if (fault.isNoticed) await expectReadBeside(fault)
})

test('the page names the faults that are tried, and no others', () => {
  expect([...outcomes.keys()]).toEqual(chainFaults.map(({ name }) => name))
})
