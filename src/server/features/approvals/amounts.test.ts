import { expect, test } from 'vitest'
import { createApprovalCaller } from '#test/support/approvals.ts'
import { importPayments } from '#test/support/bank-payments.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createStoredLines } from '#test/support/stored-lines.ts'

const server = await startServer()
const [ada, vera] = [server.as('ada'), server.as('vera')]
for (const call of [ada, vera]) expect((await call('GET', '/api/account')).statusCode).toBe(200)
const { withRule, readRequest, decline } = createApprovalCaller(server, ada)
const { makeLine } = await createStoredLines(server)
const readOrder = async (id: string) => (await server.sql('SELECT status, received FROM orders WHERE id = $1', [id]))[0]

test('small parts of a large line fall under the rule of its whole amount (product 2.11)', async () => {
  const [small, large] = [await makeLine({ amount: '99.99' }), await makeLine({ amount: '5000.00' })]
  const aside = (id: string) =>
    ada('POST', `/api/bank/lines/${id}/allocations`, {
      allocations: [{ purpose: 'ignored', amount: '1.00', code: 'fee' }],
    })
  await withRule(
    'apply_payment',
    async () => {
      expect((await aside(small.id)).statusCode).toBe(200)
      await decline(vera, readRequest(await aside(large.id)))
    },
    { fromAmount: '100.00', currency: 'EUR' },
  )
})

test('small lines that pay a large order fall under the rule of its amount (product 2.11)', async () => {
  const member = await makeMember(server)
  const order = await makeOrder(server, member.id, { orderNumber: 'ORD-077310', investmentAmount: '6501.76' })
  const [first] = await importPayments(server, { text: 'by hand', payer: 'SOMEBODY ELSE', amount: '3250.88' })
  await withRule(
    'apply_payment',
    async () => {
      const reply = await ada('POST', `/api/bank/lines/${first}/allocations`, {
        allocations: [{ purpose: 'order', amount: '3250.88', orderId: order.id }],
        reason: 'Family account',
      })
      const request = readRequest(reply)
      expect(request).toMatchObject({ amount: '6501.76', target: { name: 'SOMEBODY ELSE, 3250.88 EUR' } })
      expect(await readOrder(order.id)).toMatchObject({ status: 'waiting_payment', received: '0.00' })
      await decline(vera, request)
    },
    { fromAmount: '5000.00', currency: 'EUR' },
  )
})
