import { assert, nat, pre, property } from 'fast-check'
import { expect, test } from 'vitest'
import { kycRates } from './analytics.ts'

const count = nat({ max: 5_000_000 })

test('the rates are 0.0 each while nobody has submitted (product 5.2)', () => {
  expect(kycRates({ approved: 0, pending: 0, rejected: 0 })).toEqual({
    approved: '0.0',
    pending: '0.0',
    rejected: '0.0',
  })
})

test('a third each is 33.4, 33.3 and 33.3, never 99.9 together (product 5.2)', () => {
  expect(kycRates({ approved: 1, pending: 1, rejected: 1 })).toEqual({
    approved: '33.4',
    pending: '33.3',
    rejected: '33.3',
  })
})

test('rates have one decimal, add up to 100.0 and are within 0.1 of the share', () => {
  assert(
    property(count, count, count, (approved, pending, rejected) => {
      const all = approved + pending + rejected
      pre(all > 0)
      const counts = { approved, pending, rejected }
      const rates = kycRates(counts)
      for (const key of ['approved', 'pending', 'rejected'] as const) {
        expect(rates[key]).toMatch(/^\d{1,3}\.\d$/)
        expect(Math.abs(Number(rates[key]) - (counts[key] * 100) / all)).toBeLessThan(0.1)
        if (counts[key] === 0) expect(rates[key]).toBe('0.0')
      }
      const tenths = Object.values(rates).map((rate) => Math.round(Number(rate) * 10))
      expect(tenths.reduce((sum, n) => sum + n)).toBe(1000)
    }),
  )
})
