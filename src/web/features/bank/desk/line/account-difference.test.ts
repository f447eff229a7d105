import { expect, test } from 'vitest'
import { markDifferences } from './account-difference.ts'

const [one, other] = ['DE89370400440532013000', 'DE89370400440533013000']
const mark = (account: string, ...others: string[]) =>
  markDifferences(account, others)
    .map(({ text, isDifferent }) => (isDifferent ? `[${text}]` : text))
    .join(' ')

test('two accounts differ in the groups that are marked (product 5.13)', () => {
  expect(mark(one, other)).toBe('DE89 3704 0044 [0532] 0130 00')
  expect(mark(one, one)).toBe('DE89 3704 0044 0532 0130 00')
  expect(mark(one, one, other)).toBe('DE89 3704 0044 [0532] 0130 00')
})

test('numbers of other forms differ as a whole', () => {
  expect(mark('0012345', '0012346')).toBe('[0012345]')
  expect(mark('GB29NWBK60161331926819', 'NO9386011117947')).toBe('[GB29] [NWBK] [6016] [1331] [9268] [19]')
})
