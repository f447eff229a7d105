import { expect, test } from 'vitest'
import { csvProfileSchema } from '#contract/schemas/csv-profile.ts'

const profile = {
  encoding: 'utf-8',
  delimiter: ';',
  headerRow: 0,
  columns: { bookedOn: 0, amount: 1 },
  decimalSign: ',',
  dateOrder: 'dmy',
}
const isTaken = (change: object) => csvProfileSchema.safeParse({ ...profile, ...change }).success

test('a profile names the columns of a date and of an amount', () => {
  expect(isTaken({})).toBe(true)
  expect(isTaken({ columns: { bookedOn: 0, credit: 1, debit: 2 }, headings: ['Date', 'In', 'Out'] })).toBe(true)
  expect(isTaken({ columns: { bookedOn: 0, name: 1 } })).toBe(false)
  expect(isTaken({ columns: { amount: 0 } })).toBe(false)
})

test('a profile with unknown or impossible parts is refused', () => {
  const changes = [
    { encoding: 'klingon' },
    { delimiter: 'x' },
    { headerRow: -2 },
    { columns: { bookedOn: 0, amount: -1 } },
    { columns: { bookedOn: 0, amount: 1, colour: 2 } },
    { decimalSign: "'" },
    { dateOrder: 'ydm' },
    { more: true },
  ]
  for (const change of changes) expect(isTaken(change), JSON.stringify(change)).toBe(false)
})
