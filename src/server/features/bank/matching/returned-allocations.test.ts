import { expect, test } from 'vitest'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { chooseReturnedAllocations } from './returns.ts'

const refund = (amount: string, name = '') => ({ purpose: 'refund', amount, name })
const aside = (amount: string) => ({ purpose: 'ignored', amount, name: '' })
type Allocation = ReturnType<typeof refund>

/** The amounts that go, and what was kept. */
function choose(allocations: Allocation[], amount: string, { open = '0.00', meant = 'her' } = {}) {
  const asked = { amount: toUnits(amount), open: toUnits(open) }
  const chosen = chooseReturnedAllocations(allocations, asked, ({ name }) => name === meant)
  return [
    ...chosen.allocations.map((allocation) => `${allocation.amount} ${allocation.name}`.trim()),
    `kept ${fromUnits(chosen.kept)}`,
  ]
}

test('the part of just the amount goes, before the fee of its transfer', () => {
  expect(choose([aside('1.50'), refund('40.00'), refund('60.00')], '60.00')).toEqual(['60.00', 'kept 0.00'])
  expect(choose([aside('60.00'), refund('60.00', 'hers')], '60.00')).toEqual(['60.00 hers', 'kept 0.00'])
})

test('of equal parts the one of the account that sent it back goes', () => {
  expect(choose([refund('60.00', 'his'), refund('60.00', 'her')], '60.00')).toEqual(['60.00 her', 'kept 0.00'])
})

test('what banks kept is counted of the smallest refund that is larger', () => {
  expect(choose([refund('400.00'), refund('100.00'), refund('60.00')], '92.50')).toEqual(['100.00', 'kept 7.50'])
})

test('several refunds go where none is as large', () => {
  expect(choose([refund('40.00'), refund('60.00')], '100.00')).toEqual(['40.00', '60.00', 'kept 0.00'])
  expect(choose([aside('1.50'), refund('40.00'), refund('60.00')], '101.50')).toEqual([
    '40.00',
    '60.00',
    '1.50',
    'kept 0.00',
  ])
})

test('what is open of the transfer comes back first', () => {
  expect(choose([refund('60.00')], '40.00', { open: '40.00' })).toEqual(['kept 0.00'])
  expect(choose([refund('60.00')], '100.00', { open: '40.00' })).toEqual(['60.00', 'kept 0.00'])
})
