import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startFakeNode } from '#test/support/fakes/chain-node.ts'
import { startServer } from '#test/support/server.ts'

const [node, second] = [await startFakeNode(), await startFakeNode()]
const timing = { BSC_RPC_TIMEOUT_MS: '400', BSC_RPC_DEADLINE_MS: '900' }
const server = await startServer({ BSC_RPC_URLS: node.url, ...timing })
const two = await startServer({ BSC_RPC_URLS: `${node.url} ${second.url}`, ...timing })
afterAll(async () => {
  await node.close()
  await second.close()
})

let wallets = 0
const newWallet = () => `0x${(++wallets).toString(16).padStart(40, '0')}`
const ask = (of = server) => of.as('ada')('GET', `/api/wallet-balance/${newWallet()}`)

beforeEach(() => {
  for (const each of [node, second]) {
    each.fault = null
    Object.assign(each.facts, { chainId: 56, block: 48_000_000n, at: Math.floor(Date.now() / 1000), native: 1n })
  }
})

test('a node that comes to serve another chain is not believed from then on', async () => {
  expect((await ask()).statusCode).toBe(200)
  expect((await ask(two)).statusCode).toBe(200)
  Object.assign(node.facts, { chainId: 97, native: 999n })
  const reply = await ask()
  expect([reply.statusCode, reply.json().code]).toEqual([503, 'chain_wrong_network'])
  expect((await ask(two)).json()).toMatchObject({ chainId: 56, nativeBalance: '0.000000000000000001' })
})

describe('a node that stands still', () => {
  test('is passed over while another has newer blocks', async () => {
    Object.assign(node.facts, { at: node.facts.at - 3600, native: 999n })
    second.facts.block = 48_007_200n
    expect((await ask(two)).json()).toMatchObject({ blockNumber: '48007200', isOld: false })
  })

  test('alone gives a balance that says of when it is', async () => {
    node.facts.at -= 3600
    expect((await ask()).json()).toMatchObject({
      blockAt: new Date(node.facts.at * 1000).toISOString(),
      isOld: true,
    })
  })

  test('is found by its head, also where the console’s clock is wrong', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 7200_000)
    onTestFinished(() => {
      vi.restoreAllMocks()
    })
    await ask(two)
    node.facts.block++
    node.calls.length = 0
    await ask(two)
    second.calls.length = 0
    node.facts.block++
    await ask(two)
    expect([node.calls.length > 0, second.calls.length]).toEqual([true, 0])
  })
})

describe('many wallets at once', () => {
  test('with a node that hangs are all answered by the deadline', async () => {
    node.fault = () => {}
    const begun = performance.now()
    const replies = await Promise.all(Array.from({ length: 24 }, () => ask()))
    expect(new Set(replies.map((reply) => reply.json().code))).toEqual(new Set(['chain_timeout']))
    expect(performance.now() - begun).toBeLessThan(2500)
  })

  test('with a quick node all succeed', async () => {
    const patient = await startServer({ BSC_RPC_URLS: node.url })
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask(patient)))
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  })
})
