import { expect, test } from 'vitest'
import { makePlatform } from './history.ts'
import { makeTokens } from './tokens.ts'

test('12 of the 15 demo tokens are active: 8 earning, 4 fractions (product 13.4)', () => {
  const at = Date.parse('2026-11-20T15:00:00Z')
  const tokens = makeTokens(at)
  const active = tokens.filter((token) => token.isActive)
  expect([tokens.length, active.length]).toEqual([15, 12])
  expect(active.filter(({ kind }) => kind === 'earning')).toHaveLength(8)
  expect(new Set(tokens.map(({ kind, contractAddress }) => `${kind}/${contractAddress}`)).size).toBe(15)
  expect(makeTokens(at)).toEqual(tokens)
})

test('the demo history names only demo tokens, with the same symbol and project', () => {
  const at = Date.parse('2026-11-20T15:00:00Z')
  const known = new Map(makeTokens(at).map((token) => [token.contractAddress, token]))
  for (const line of makePlatform(at).lines) {
    if (line.type !== 'chainTransaction' && line.type !== 'fraction') continue
    const token = known.get(line.tokenAddress)
    expect(token).toMatchObject({ projectName: line.projectName })
    if (line.type === 'chainTransaction') expect(token?.tokenSymbol).toBe(line.tokenSymbol)
    else expect(token?.kind).toBe('fractions')
  }
})
