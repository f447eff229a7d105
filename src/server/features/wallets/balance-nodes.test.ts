import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startBalanceConsoles } from '#test/support/balance-consoles.ts'
import { startServer } from '#test/support/server.ts'

const { timeouts, node, second, two, readBalance } = await startBalanceConsoles()

beforeEach(() => {
  for (const each of [node, second]) {
    each.fault = null
    Object.assign(each.facts, { chainId: 56, block: 48_000_000n, at: Math.floor(Date.now() / 1000), native: 1n })
  }
})

test('a node that comes to serve another chain is not believed from then on', async () => {
  expect((await readBalance()).statusCode).toBe(200)
  expect((await readBalance(two)).statusCode).toBe(200)
  Object.assign(node.facts, { chainId: 97, native: 999n })
  const reply = await readBalance()
  expect([reply.statusCode, reply.json().code]).toEqual([503, 'chain_wrong_network'])
  expect((await readBalance(two)).json()).toMatchObject({ chainId: 56, nativeBalance: '0.000000000000000001' })
})

describe('a node that stands still', () => {
  test('is passed over while another has newer blocks', async () => {
    Object.assign(node.facts, { at: node.facts.at - 3600, native: 999n })
    second.facts.block = 48_007_200n
    expect((await readBalance(two)).json()).toMatchObject({ blockNumber: '48007200', isOld: false })
  })

  test('alone gives a balance that says of when it is', async () => {
    node.facts.at -= 3600
    expect((await readBalance()).json()).toMatchObject({
      blockAt: new Date(node.facts.at * 1000).toISOString(),
      isOld: true,
    })
  })

  test('is found by its head, also where the console’s clock is wrong', async () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 7200_000)
    onTestFinished(() => clock.mockRestore())
    await readBalance(two)
    node.facts.block++
    node.calls.length = 0
    await readBalance(two)
    second.calls.length = 0
    node.facts.block++
    await readBalance(two)
    expect([node.calls.length > 0, second.calls.length]).toEqual([true, 0])
  })
})

describe('many wallets at once', () => {
  test('with a node that hangs are all answered when its time is over', async () => {
    node.fault = () => timeouts.expire(node.url)
    const replies = await Promise.all(Array.from({ length: 24 }, () => readBalance()))
    expect(new Set(replies.map((reply) => reply.json().code))).toEqual(new Set(['chain_timeout']))
  })

  test('with a quick node all succeed', async () => {
    const patient = await startServer({ BSC_RPC_URLS: node.url })
    const replies = await Promise.all(Array.from({ length: 60 }, () => readBalance(patient)))
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  })
})
