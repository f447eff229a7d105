import { expect, test } from 'vitest'
import { treasury } from '#demo/chain/build.ts'
import { makeChainHistory } from './chain-history.ts'
import { makePlatform } from './history.ts'
import { demoTokens } from './tokens.ts'

test.each(['2026-11-20T15:00:00Z', '2027-01-03T00:00:30Z', '2028-02-29T23:59:59Z'])(
  'as of %s, nobody on the demo’s chain sends what they do not have (product 13.4)',
  (moment) => {
    const at = Date.parse(moment)
    const history = makeChainHistory(at)
    const { genesis, moves } = history
    expect(makeChainHistory(at)).toEqual(history)
    expect([moves.length > 1000, moves.length < 2000]).toEqual([true, true])
    const held = new Map<string, bigint>()
    let last = genesis * 1000
    for (const { at: time, token, from, to, amount } of moves) {
      expect(amount > 0n && time >= last && time <= at && from !== to).toBe(true)
      last = time
      if (from !== treasury) {
        const left = (held.get(`${token}/${from}`) ?? 0n) - amount
        expect(left).toBeGreaterThanOrEqual(0n)
        held.set(`${token}/${from}`, left)
      }
      held.set(`${token}/${to}`, (held.get(`${token}/${to}`) ?? 0n) + amount)
    }
    // All fifteen are held by somebody, and something happened within the last day.
    expect(new Set(moves.map(({ token }) => token)).size).toBe(15)
    expect(moves.filter(({ at: time }) => at - time < 24 * 3_600_000).length).toBeGreaterThan(3)
  },
)

test("no demo transfer is finer than its token's decimals (product 13.4)", () => {
  const decimals = new Map(demoTokens.map((token) => [token.address, token.decimals]))
  expect(new Set(decimals.values())).toEqual(new Set([0, 6, 18]))
  for (const line of makePlatform(Date.parse('2026-11-20T15:00:00Z')).lines) {
    if (line.type !== 'chainTransaction' && line.type !== 'fraction') continue
    expect(line.amount).toMatch(/^(0|[1-9]\d*)(\.\d+)?$/)
    expect(line.amount.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(decimals.get(line.tokenAddress)!)
  }
})
