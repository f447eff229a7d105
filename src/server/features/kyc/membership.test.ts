import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMembershipId } from './write-kyc.ts'

/** Luhn's own check, counted from the right over all digits: the sum is a multiple of ten. */
function luhnHolds(digits: string) {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, at) => {
      const weighed = Number(digit) * (at % 2 === 1 ? 2 : 1)
      return total + Math.floor(weighed / 10) + (weighed % 10)
    }, 0)
  return sum % 10 === 0
}
const numbers = fc.oneof(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: 10_000_000, max: 99_999_999 }))

test('the first membership ids, and those around the ten-millionth (product 7.1)', () => {
  expect([1, 2, 10, 1_234_567, 9_999_999, 10_000_000].map(formatMembershipId)).toEqual([
    'MB-00000018',
    'MB-00000026',
    'MB-00000109',
    'MB-12345674',
    'MB-99999997',
    'MB-100000009',
  ])
})

test('MB- and 8 digits or 9, the number first, the Luhn digit last (product 7.1)', () => {
  fc.assert(
    fc.property(numbers, (number) => {
      const digits = /^MB-(\d{8,9})$/.exec(formatMembershipId(number))?.[1] ?? ''
      expect(Number(digits.slice(0, -1))).toBe(number)
      expect(luhnHolds(digits)).toBe(true)
    }),
  )
})

test('ids are unique, and of one length sort in the order of their numbers', () => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const [id, otherId] = [formatMembershipId(one), formatMembershipId(other)]
      if (id.length === otherId.length) expect(Math.sign(id.localeCompare(otherId))).toBe(Math.sign(one - other))
      else expect(id).not.toBe(otherId)
    }),
  )
})

test('one mistyped digit is always noticed', () => {
  fc.assert(
    fc.property(numbers, fc.nat(8), fc.integer({ min: 1, max: 9 }), (number, place, shift) => {
      const digits = formatMembershipId(number).slice(3).split('')
      const at = place % digits.length
      digits[at] = String((Number(digits[at]) + shift) % 10)
      expect(luhnHolds(digits.join(''))).toBe(false)
    }),
  )
})
