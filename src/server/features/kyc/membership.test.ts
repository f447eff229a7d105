import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMembershipId } from './membership.ts'

/** Luhn's own check, counted from the right over all eight digits: the sum is a multiple of ten. */
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
const numbers = fc.integer({ min: 1, max: 9_999_999 })

test('the first membership ids (product 7.1)', () => {
  expect([1, 2, 10, 1234567].map(formatMembershipId)).toEqual([
    'MB-00000018',
    'MB-00000026',
    'MB-00000109',
    'MB-12345674',
  ])
})

test('MB- and 8 digits, the number first, the Luhn digit last (product 7.1)', () => {
  fc.assert(
    fc.property(numbers, (number) => {
      const digits = /^MB-(\d{8})$/.exec(formatMembershipId(number))?.[1] ?? ''
      expect(Number(digits.slice(0, 7))).toBe(number)
      expect(luhnHolds(digits)).toBe(true)
    }),
  )
})

test('ids are unique and sort in the order of their numbers', () => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      expect(Math.sign(formatMembershipId(one).localeCompare(formatMembershipId(other)))).toBe(Math.sign(one - other))
    }),
  )
})

test('one mistyped digit is always noticed', () => {
  fc.assert(
    fc.property(numbers, fc.nat(7), fc.integer({ min: 1, max: 9 }), (number, at, shift) => {
      const digits = formatMembershipId(number).slice(3).split('')
      digits[at] = String((Number(digits[at]) + shift) % 10)
      expect(luhnHolds(digits.join(''))).toBe(false)
    }),
  )
})
