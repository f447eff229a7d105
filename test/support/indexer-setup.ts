import { afterEach, beforeEach, expect, onTestFinished } from 'vitest'
import type { ChainHealth } from '#contract/schemas/chain.ts'
import type { Ctx } from '#server/core/context.ts'
import { readChainHealth } from '#server/features/chain/health.ts'
import { listNotices } from '#server/features/notices/notices.ts'
import {
  clearChainData,
  type Reader,
  registerTokens,
  registerWallets,
  readRows,
  buildExpectedRows,
  startReader,
} from './chain-reader.ts'
import { type Behaviour, FakeChain, startFakeChainNode, transfer } from './fakes/fake-chain.ts'
import type { TestServer } from './server.ts'

export const address = (digit: string, n: number) => `0x${n.toString(16).padStart(40, digit)}`
export const [gold, unit, other] = [address('c', 1), address('c', 2), address('c', 3)]
export const [ana, bob, shop] = [address('a', 1), address('a', 2), address('e', 1)]
/** What is registered as a test begins. */
export const registered = { tokens: { [gold]: 18, [unit]: 0 }, wallets: [ana, bob] }

/** Some of every kind: in, out, between members, of nobody's, of no registered token, several in one transaction. */
export function makeTransfers(n: number) {
  const one = transfer({ token: gold, from: shop, to: ana, raw: BigInt(n) * 10n ** 17n + 1n })
  return [
    one,
    { ...one, to: bob, raw: BigInt(n) },
    transfer({ token: unit, from: bob, to: shop, raw: BigInt(n) }),
    transfer({ token: unit, from: ana, to: bob, raw: 7n }),
    transfer({ token: gold, from: shop, to: shop, raw: 9n }),
    transfer({ token: other, from: shop, to: ana, raw: 9n }),
  ]
}

/** The notices that an operator who may see everything has. */
export const readNotices = (ctx: Ctx) =>
  listNotices({ ...ctx, actor: { kind: 'admin', id: '1', name: 'ada', sessionId: '1', role: 'super_admin' } })

export const countLogReads = (calls: string[][]) => calls.flat().filter((method) => method === 'eth_getLogs').length

/** A chain for each test, and those who read it into the test's database; all of them stop with the test. */
export function setUpIndexing(server: TestServer) {
  const world = { chain: new FakeChain() }
  let readers: Reader[] = []

  beforeEach(async () => {
    await clearChainData(server)
    world.chain = new FakeChain()
    await registerTokens(server, { address: gold, decimals: 18 }, { address: unit, decimals: 0 })
    await registerWallets(server, ana, bob)
  })
  afterEach(async () => {
    for (const reader of readers) await reader.stop()
    readers = []
  })

  async function node(behaviour: Partial<Behaviour> = {}) {
    const started = await startFakeChainNode(world.chain, behaviour)
    onTestFinished(() => started.close())
    return started
  }
  async function reader(...given: Parameters<typeof startReader> extends [unknown, ...infer Rest] ? Rest : never) {
    const started = await startReader(server, ...given)
    readers.push(started)
    return started
  }
  async function stopReader(stopped: Reader) {
    readers = readers.filter((each) => each !== stopped)
    await stopped.stop()
  }
  function mineSome(blocks = 30) {
    for (let n = 1; n <= blocks; n++) world.chain.mine(n % 3 === 0 ? [] : makeTransfers(n))
  }
  /** The database holds what the chain does, `final` being the last final block. */
  async function expectExact(final = world.chain.head - 2) {
    expect(await readRows(server)).toEqual(buildExpectedRows(world.chain, registered, final))
  }
  const health = (of: Reader): Promise<ChainHealth> => readChainHealth(of.ctx)
  /** The types of all security events, oldest first. */
  const events = async () =>
    (await server.sql<{ type: string }>('SELECT event_type AS type FROM security_events ORDER BY id')).map(
      ({ type }) => type,
    )
  return { world, node, reader, stopReader, mineSome, expectExact, health, events }
}
