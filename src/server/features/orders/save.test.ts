import { Readable } from 'node:stream'
import { getTableColumns } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { importLines } from '#contract/schemas/platform.ts'
import { orders } from '#server/db/tables/orders.ts'
import { omit } from '#server/lib/omit.ts'
import { importStream } from '#server/platform/import.ts'
import { makeMember } from '#test/support/make.ts'
import { buildOrderBody } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const member = await makeMember(server)
let made = 0
const line = (given: Record<string, unknown> = {}) => ({
  type: 'order',
  orderNumber: `ORD-${++made}`,
  ...buildOrderBody(member.id),
  ...given,
})
const send = (...lines: unknown[]) =>
  importStream(server.system, Readable.from(lines.map((each) => `${JSON.stringify(each)}\n`)))
const counts = ({ created, updated, unchanged, refused }: Awaited<ReturnType<typeof send>>) => [
  created,
  updated,
  unchanged,
  refused,
]
const row = async (number: string) => (await server.sql('SELECT * FROM orders WHERE order_number = $1', [number]))[0]!
const idOf = async ({ orderNumber }: { orderNumber: string }): Promise<string> => (await row(orderNumber)).id

test('each field of an order line has a column of its own name (product 10.2)', () => {
  const columns = getTableColumns(orders)
  for (const name of Object.keys(omit(importLines.order.shape, ['type']))) expect(columns).toHaveProperty(name)
})

test('an order line sent again changes nothing, also when written otherwise (product 10.2)', async () => {
  const first = line({ createdAt: '2026-01-02T09:00:00Z' })
  expect(counts(await send(first))).toEqual([1, 0, 0, 0])
  expect(counts(await send(first, { ...first, investmentAmount: '01500', createdAt: undefined }))).toEqual([0, 0, 2, 0])
  expect(await row(first.orderNumber)).toMatchObject({
    status: 'waiting_payment',
    investment_amount: '1500.00',
    created_at: new Date('2026-01-02T09:00:00Z'),
    status_changed_by: null,
    version: 1,
  })
})

test('a waiting order may be changed, and the change is audited before and after (product 10.2)', async () => {
  const first = line()
  await send(first)
  expect(counts(await send({ ...first, iban: 'XX11', investmentAmount: '1500.01' }))).toEqual([0, 1, 0, 0])
  expect(await row(first.orderNumber)).toMatchObject({ iban: 'XX11', investment_amount: '1500.01', version: 2 })
  expect(
    await server.sql(`SELECT action, details FROM audit_log WHERE target_type = 'order' AND target_id = $1`, [
      await idOf(first),
    ]),
  ).toEqual([
    {
      action: 'update_order',
      details: {
        orderNumber: first.orderNumber,
        before: { iban: 'XX00 0000 0012 345', investmentAmount: '1500.00' },
        after: { iban: 'XX11', investmentAmount: '1500.01' },
      },
    },
  ])
})

test("an operator's decision is not rewritten by the platform (product 10.2)", async () => {
  const first = line()
  await send(first)
  await server.as('ada')('PATCH', `/api/orders/${await idOf(first)}/status`, { status: 'paid', notes: 'Seen' })
  const result = await send(first, { ...first, iban: 'XX11' }, { ...first, status: 'cancelled' }, line())
  expect(counts(result)).toEqual([1, 0, 1, 2])
  expect(result.errors).toMatchObject([
    { line: 2, message: expect.stringMatching(/^This order is paid \(set by ada on /) },
    { line: 3, message: expect.stringMatching(/^This order is paid \(set by ada on /) },
  ])
  expect(await row(first.orderNumber)).toMatchObject({ status: 'paid', notes: 'Seen', iban: first.iban, version: 2 })
})

test('an order whose time is up is no longer changed, also before the job (product 7.4)', async () => {
  const first = line({ createdAt: '2026-01-04T09:00:00Z', expiresAt: '2026-01-05T09:00:00Z' })
  await send(first)
  const result = await send(first, { ...first, expiresAt: '2099-01-05T09:00:00Z' })
  expect(counts(result)).toEqual([0, 0, 1, 1])
  expect(result.errors[0]!.message).toMatch(/^This order is expired/)
})

test('an unknown order may bring its history (product 10.2)', async () => {
  const createdAt = '2026-01-02T09:00:00Z'
  const paid = line({ status: 'paid', createdAt, paidAt: '2026-01-03T09:00:00Z', notes: 'Wire' })
  const completed = line({
    status: 'completed',
    createdAt,
    paidAt: '2026-01-03T09:00:00Z',
    completedAt: '2026-01-04T09:00:00Z',
  })
  const cancelled = line({ status: 'cancelled', createdAt, notes: 'Asked for' })
  const expired = line({ status: 'expired', createdAt, expiresAt: '2026-01-04T09:00:00Z' })
  const lines = [paid, completed, cancelled, expired]
  expect(counts(await send(...lines))).toEqual([4, 0, 0, 0])
  expect(counts(await send(...lines))).toEqual([0, 0, 4, 0])
  expect(await row(paid.orderNumber)).toMatchObject({
    status: 'paid',
    notes: 'Wire',
    paid_at: new Date('2026-01-03T09:00:00Z'),
    status_changed_by: 'tests',
  })
  expect(await row(completed.orderNumber)).toMatchObject({
    status: 'completed',
    completed_at: new Date('2026-01-04T09:00:00Z'),
  })
  expect(await server.sql(`SELECT 1 FROM platform_events`)).toHaveLength(1)
  const other = await send({ ...paid, status: 'completed' }, { ...paid, paidAt: '2026-01-03T10:00:00Z' })
  expect(counts(other)).toEqual([0, 0, 0, 2])
})

test('each refused line names its field and never stops the others', async () => {
  const refused: [Record<string, unknown>, string][] = [
    [{ orderNumber: 'a/b' }, 'orderNumber'],
    [{ memberId: 'nobody' }, 'memberId: there is no member nobody'],
    [{ projectName: '' }, 'projectName'],
    [{ investmentAmount: '0.00' }, 'investmentAmount'],
    [{ investmentAmount: '1.0001' }, 'investmentAmount'],
    [{ investmentAmount: 12 }, 'investmentAmount'],
    [{ investmentAmount: '1'.repeat(16) }, 'investmentAmount'],
    [{ currency: 'eur' }, 'currency'],
    [{ currency: 'ABC' }, 'currency'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ iban: undefined }, 'iban'],
    [{ status: 'lost' }, 'status'],
    [{ paidAt: '2026-01-03T09:00:00Z' }, 'paidAt: an order that is waiting payment has not been paid'],
    [{ status: 'paid', completedAt: '2026-01-03T09:00:00Z' }, 'completedAt'],
    [{ colour: 'red' }, 'colour'],
  ]
  const result = await send(...refused.map(([given]) => line(given)), line())
  expect(counts(result)).toEqual([1, 0, 0, refused.length])
  for (const [at, [, message]] of refused.entries())
    expect(result.errors[at]).toMatchObject({ line: at + 1, message: expect.stringContaining(message) })
  const first = line()
  await send(first)
  const other = await makeMember(server)
  expect((await send({ ...first, memberId: other.id })).errors[0]!.message).toContain('belongs to another member')
})

test('one file sent four times at once, with its members, leaves each order once', async () => {
  const lines = Array.from({ length: 60 }, (_, n) => [
    { type: 'member', id: `m-at-once-${n}`, email: `at-once-${n}@example.com` },
    line({ memberId: `m-at-once-${n}` }),
  ]).flat()
  const results = await Promise.all(Array.from({ length: 4 }, () => send(...lines)))
  expect(results.reduce((sum, result) => sum + result.created, 0)).toBe(120)
  expect(results.map((result) => result.refused)).toEqual([0, 0, 0, 0])
})
