import { expect, test } from 'vitest'
import type { BankAccount, BankLine } from '#contract/schemas/bank.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { specimenIban } from '#test/support/bank-files.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const giro = await createStoredLines(server)
const savings = await createStoredLines(server, specimenIban.replace(/\d{4}$/, '0001'))
const { apply, undo } = createAllocationCaller(server)
const ada = server.as('ada')
const { id: memberId } = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })

const readAccount = async (id: string): Promise<BankAccount> =>
  (await ada('GET', '/api/bank/accounts')).json().accounts.find((account: BankAccount) => account.id === id)
const payBack = async (debit: { id: string }, credit: { id: string }, amount: string) =>
  (await apply(debit.id, [{ purpose: 'refund', lineId: credit.id, amount }])).allocations[0]!
const addUp = ({ credits }: BankAccount) =>
  fromUnits(Object.values(credits).reduce((sum, each) => sum + toUnits(each), 0n))
const listDue = async (query = ''): Promise<BankLine[]> =>
  (await ada('GET', `/api/bank/lines?attention=refund_due${query}`)).json().lines

test('what is to be paid back is told apart from what was, and all adds up (product 6.11)', async () => {
  const order = await makeOrder(server, memberId, { investmentAmount: '40.00' })
  const credit = await giro.makeLine()
  await apply(credit.id, [payOrder(order, '40.00'), { purpose: 'refund', amount: '60.00', cause: 'overpaid' }])
  const before = await readAccount(giro.account.id)
  expect(before.credits).toMatchObject({ applied: '40.00', refund: '60.00', paidBack: '0.00' })
  const debit = await giro.makeLine({ direction: 'debit', amount: '25.00' })
  const back = await payBack(debit, credit, '25.00')
  const account = await readAccount(giro.account.id)
  expect(account.credits).toMatchObject({ applied: '40.00', refund: '35.00', paidBack: '25.00', open: '0.00' })
  expect(addUp(account)).toBe(account.booked.credits)
  expect(account.purposes.filter(({ purpose }) => purpose === 'refund')).toEqual([
    { direction: 'credit', purpose: 'refund', code: null, count: 1, amount: '60.00', due: '35.00' },
    { direction: 'debit', purpose: 'refund', code: null, count: 1, amount: '25.00', due: null },
  ])
  await undo(back.id)
  expect(await readAccount(giro.account.id)).toMatchObject({ credits: before.credits })
})

test('a refund that another account paid is paid back on the account it came to (product 6.11)', async () => {
  const credit = await savings.makeLine()
  await apply(credit.id, [{ purpose: 'refund', amount: '100.00', cause: 'duplicate' }])
  const before = await readAccount(giro.account.id)
  await payBack(await giro.makeLine({ direction: 'debit', amount: '100.00' }), credit, '100.00')
  const [paying, received] = [await readAccount(giro.account.id), await readAccount(savings.account.id)]
  expect(received.credits).toMatchObject({ refund: '0.00', paidBack: '100.00' })
  expect(paying.credits).toEqual(before.credits)
  for (const account of [paying, received]) expect(addUp(account)).toBe(account.booked.credits)
})

test('a line of refunds due has cause, order and what is due of each (product 5.13)', async () => {
  const order = await makeOrder(server, memberId, { investmentAmount: '40.00' })
  const credit = await giro.makeLine({ payerAccount: 'PT50000201231234567890154' })
  const { allocations } = await apply(credit.id, [
    { purpose: 'refund', orderId: order.id, amount: '30.00', cause: 'overpaid' },
    { purpose: 'refund', amount: '50.00', cause: 'duplicate' },
  ])
  await payBack(await giro.makeLine({ direction: 'debit', amount: '10.00' }), credit, '10.00')
  const [second, first] = allocations
  const { id, orderNumber } = order
  const line = (await listDue()).find((each) => each.id === credit.id)!
  expect(line.refundsDue).toEqual([
    { id: first!.id, order: { id, orderNumber }, cause: 'overpaid', amount: '30.00', due: '20.00', returned: null },
    { id: second!.id, order: null, cause: 'duplicate', amount: '50.00', due: '50.00', returned: null },
  ])
  await payBack(await giro.makeLine({ direction: 'debit', amount: '20.00' }), credit, '20.00')
  expect((await listDue()).find((each) => each.id === credit.id)!.refundsDue).toMatchObject([{ id: second!.id }])
  await payBack(await giro.makeLine({ direction: 'debit', amount: '50.00' }), credit, '50.00')
  expect((await listDue()).map((each) => each.id)).not.toContain(credit.id)
})

test('a payment back as a candidate says which payment it is of, and what is due on it (product 5.13)', async () => {
  const order = await makeOrder(server, memberId, { investmentAmount: '40.00' })
  const payer = { payerName: 'ANA LIMA', payerAccount: 'PT50000201231234567890154' }
  const credit = await giro.makeLine({ ...payer, amount: '77.00' })
  await apply(credit.id, [{ purpose: 'refund', orderId: order.id, amount: '33.00', cause: 'late' }])
  const debit = await giro.makeLine({ ...payer, direction: 'debit', amount: '33.00' })
  const { candidates } = (await ada('GET', `/api/bank/lines/${debit.id}`)).json()
  expect(candidates[0].credits[0]).toMatchObject({
    lineId: credit.id,
    bookedOn: credit.bookedOn,
    amount: '77.00',
    ...payer,
    refundDue: '33.00',
    refundsDue: [{ order: { orderNumber: order.orderNumber }, cause: 'late', due: '33.00' }],
  })
})

test('the export of refunds due has what transfers need, payees if asked for (product 5.13, 6.11)', async () => {
  const order = await makeOrder(server, memberId, { investmentAmount: '40.00', orderNumber: 'ORD_77' })
  const payer = { payerName: 'OLEG NG', payerAccount: 'PT50000201231234567890154' }
  const credit = await savings.makeLine({ ...payer, bookedOn: '2026-01-05', amount: '90.00' })
  await apply(credit.id, [
    { purpose: 'refund', orderId: order.id, amount: '30.00', cause: 'overpaid' },
    { purpose: 'refund', amount: '50.00', cause: 'duplicate' },
  ])
  const read = async (query: string): Promise<string[]> => {
    const path = `/api/exports/bank-lines?attention=refund_due&accountId=${savings.account.id}${query}`
    return (await ada('GET', path)).body.slice(1, -2).split('\r\n')
  }
  const [head, row] = await read('')
  expect(head).toMatch(/,Place,Due,Cause,Orders,Transfer Text,Came Back,Return Reason$/)
  expect(row).toMatch(/,80\.00,"Overpaid, Paid twice","ORD_77, No order",Refund ORD-77,,$/)
  expect(row).not.toMatch(/OLEG|PT50/)
  expect((await read('&payers=shown'))[1]).toMatch(/,Refund ORD-77,,,OLEG NG,PT50000201231234567890154,,$/)
})
