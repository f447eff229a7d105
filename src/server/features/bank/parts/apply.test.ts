import { expect, test } from 'vitest'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { type AppliedReply, createStoredLines } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const { makeLine } = await createStoredLines(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const makeAsked = (given = {}) => makeOrder(server, member.id, { investmentAmount: '100.00', ...given })

const apply = (id: string, parts: object[], more: object = {}, version?: number) =>
  ada(
    'POST',
    `/api/bank/lines/${id}/parts`,
    { parts, ...more },
    version === undefined ? {} : { 'if-match': `"${version}"` },
  )

test('a line that covers an order pays it, and undoing that makes it wait again', async () => {
  const order = await makeAsked()
  const line = await makeLine()
  const reply = await apply(line.id, [{ purpose: 'order', orderId: order.id, amount: '100' }], {}, 1)
  expect(reply.statusCode, reply.body).toBe(200)
  const applied = reply.json<AppliedReply>()
  expect(applied.line).toMatchObject({ state: 'settled', allocated: '100.00' })
  expect(applied.orders).toMatchObject([{ status: 'paid', paidVia: 'bank', received: '100.00', version: 2 }])
  const undone = await ada('POST', `/api/bank/parts/${applied.parts[0]!.id}/undo`, { reason: 'Wrong' })
  expect(undone.json()).toMatchObject({
    line: { state: 'open', allocated: '0.00' },
    orders: [{ status: 'waiting_payment', paidVia: null, received: '0.00', paidAt: null, version: 3 }],
  })
})
