import { expect, test } from 'vitest'
import { readStatementFile } from '#server/features/bank/statements/readers/read-file.ts'
import { isIban } from '#server/lib/iban.ts'
import { collectStatements } from '#test/support/bank-files.ts'
import { makePlatform } from '#demo/platform/history.ts'
import { makeOrders } from '#demo/platform/orders.ts'
import { makeBank } from './statements.ts'

const make = (moment: string) => {
  const at = Date.parse(moment)
  const { people } = makePlatform(at)
  return makeBank(at, people, makeOrders(at, people))
}
const moments = ['2026-11-20T15:00:00Z', '2027-01-03T00:00:30Z', '2028-02-29T23:59:59Z']

test('the same moment gives the same statements, another moment other ones (product 13.4)', () => {
  const [first, second] = moments.map(make)
  expect(make(moments[0]!)).toEqual(first)
  expect(second!.files[0]!.content.equals(first!.files[0]!.content)).toBe(false)
})

test.each(moments)('at %s the statements are of three banks, and 25 to 60 lines are to do (product 13.4)', (moment) => {
  const { files } = make(moment)
  expect(new Set(files.map(({ account }) => account))).toEqual(new Set(['EUR', 'GBP', 'USD']))
  const lines = files.flatMap(({ payments }) => payments)
  const todo = lines.filter(({ decision, isPending, sumOf }) => !decision && !isPending && !sumOf)
  expect(todo.length).toBeGreaterThanOrEqual(25)
  expect(todo.length).toBeLessThanOrEqual(60)
  expect(lines.filter(({ decision }) => decision).length).toBeGreaterThan(todo.length / 2)
  expect(lines.every(({ bookedOn, decidedAt }) => bookedOn <= moment.slice(0, 10) && (decidedAt ?? '') < moment)).toBe(
    true,
  )
})

test.each(moments)(
  'at %s a zip brings statements, and a camt.054 the payments of a sum (product 13.4)',
  async (moment) => {
    const { files } = make(moment)
    const read = async (name: string) => {
      const { sink, statements } = collectStatements()
      await readStatementFile(files.find((file) => file.name === name)!.content, sink, { today: moment.slice(0, 10) })
      return statements
    }
    const zipped = await read('meridian-138-141.zip')
    expect(zipped.map(({ kind, number }) => `${kind} ${number}`)).toEqual(
      ['138', '139', '140', '141'].map((number) => `camt.053 ${number}`),
    )
    const [notified] = await read('camt054-211.xml')
    const [latest] = await read('camt053-143.xml')
    const [{ entry } = { entry: null }] = notified!.lines
    expect(notified!.lines.length).toBeGreaterThan(1)
    expect(latest!.lines).toContainEqual(
      expect.objectContaining({
        bankReference: entry!.reference,
        amount: entry!.amount,
        batch: expect.objectContaining({ isWhole: true }),
      }),
    )
  },
)

test('accounts of the demo have right check digits and belong to no bank (product 13.4)', () => {
  const { files, orders } = make(moments[0]!)
  const ofPayers = files.flatMap(({ payments }) => payments.flatMap(({ payer }) => payer.iban ?? []))
  const asked = orders.flatMap(({ iban, currency }) => (currency === 'USD' ? [] : [iban.replaceAll(' ', '')]))
  for (const iban of [...ofPayers, ...asked]) {
    expect(isIban(iban), iban).toBe(true)
    expect(iban.slice(4)).toMatch(/^(99999999|HMIL999999)/)
  }
})

test('orders that the bank has paid are imported unpaid, with all else as it was (product 13.4)', () => {
  const at = Date.parse(moments[0]!)
  const { people } = makePlatform(at)
  const given = makeOrders(at, people)
  const { orders } = makeBank(at, people, given)
  const unpaid = orders.filter(({ status }, n) => status === 'waiting_payment' && given[n]!.status === 'paid')
  expect(unpaid.length).toBeGreaterThan(3)
  expect(unpaid.every(({ paidAt, notes }) => paidAt === undefined && notes === undefined)).toBe(true)
  expect(orders.map(({ orderNumber }) => orderNumber)).toEqual(given.map(({ orderNumber }) => orderNumber))
})
