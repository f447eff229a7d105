import { expect, test } from 'vitest'
import { bankPolicy } from '#server/db/tables/bank-allocations.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const { makeLine } = await createStoredLines(server)
const { apply, undo, refuse } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const askFor = (investmentAmount: string, given = {}) => makeOrder(server, member.id, { investmentAmount, ...given })
const setPolicy = (change: Partial<typeof bankPolicy.$inferInsert>) =>
  server.services.database.db.update(bankPolicy).set(change)

test('money of another person needs a reason (product 9.10)', async () => {
  const [line, order] = [await makeLine({ payerName: 'RUI LIMA' }), await askFor('100.00')]
  expect(await refuse(line.id, [payOrder(order, '100.00')])).toEqual([
    400,
    'payer_differs',
    'RUI LIMA is not Ana Lima: give a reason to take this payment',
  ])
  expect((await refuse(line.id, [payOrder(order, '100.00')], { reason: ' ' }))[1]).toBe('payer_differs')
  const { allocations } = await apply(line.id, [payOrder(order, '100.00')], { reason: 'Her husband' })
  expect(allocations).toMatchObject([{ reason: 'Her husband', evidence: { flags: ['third_party'] } }])
})

/** A member of the same name, who has no account yet, and an order of hers. */
async function askNamesake() {
  const namesake = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
  const listAccounts = async () =>
    (await ada('GET', `/api/users/${namesake.id}/payers`)).json<{ accounts: { account: string }[] }>().accounts
  return { ask: () => makeOrder(server, namesake.id, { investmentAmount: '100.00' }), listAccounts }
}

test.each([
  ['another on her behalf', 'MALLORY EVIL', { ultimate: 'Ana Lima' }, 'MALLORY EVIL is not Ana Lima'],
  ['nobody on her behalf', null, { ultimate: 'Ana Lima' }, "Only the payer's text says that Ana Lima paid"],
  ['a name in the text', null, { textName: 'Ana Lima' }, "Only the payer's text says that Ana Lima paid"],
])('money of %s needs a reason, and its account stays unknown', async (_who, payerName, details, differs) => {
  const { ask, listAccounts } = await askNamesake()
  const [line, order] = [await makeLine({ payerName, payerAccount: 'NL02ABNA0123456789', details }), await ask()]
  const message = `${differs}: give a reason to take this payment`
  expect(await refuse(line.id, [payOrder(order, '100.00')])).toEqual([400, 'payer_differs', message])
  await apply(line.id, [payOrder(order, '100.00')], { reason: 'She confirmed it' })
  expect(await listAccounts()).toEqual([])
})

test("a known account in the payment's text is not the payer's", async () => {
  const { ask } = await askNamesake()
  const iban = 'GB82WEST12345698765432'
  const first = await makeLine({ payerName: 'ANA LIMA', payerAccount: iban })
  await apply(first.id, [payOrder(await ask(), '100.00')])
  const line = await makeLine({ payerName: null, payerAccount: null, details: { textIban: iban } })
  expect((await refuse(line.id, [payOrder(await ask(), '100.00')]))[2]).toMatch(/^Only the payer's text says/)
})

test('a payer whose name is in another script needs a reason once (product 7.10)', async () => {
  const iban = 'NL91ABNA0417164300'
  const wang = await makeMember(server, { legalFirstName: '伟', legalLastName: '王' })
  const [first, second] = [await makeLine({ payerName: 'WONG WAI', payerAccount: iban }), await makeLine()]
  const ask = () => makeOrder(server, wang.id, { investmentAmount: '100.00' })
  const order = await ask()
  expect(await refuse(first.id, [payOrder(order, '100.00')])).toEqual([
    400,
    'payer_differs',
    'WONG WAI and 伟 王 are names in different scripts: give a reason to take this payment',
  ])
  const { allocations } = await apply(first.id, [payOrder(order, '100.00')], { reason: 'As in the passport' })
  expect(allocations).toMatchObject([{ evidence: { flags: ['payer_unsure'] } }])
  expect((await ada('GET', `/api/users/${wang.id}/payers`)).json()).toMatchObject({
    accounts: [{ account: iban }],
    thirdParty: [],
  })
  await server.sql('UPDATE bank_lines SET payer_name = $2, payer_account = $3 WHERE id = $1', [
    second.id,
    'WONG WAI',
    iban,
  ])
  await apply(second.id, [payOrder(await ask(), '100.00')])
  await undo(allocations[0]!.id)
})

test('the policy may take money of another person without a reason (product 7.11)', async () => {
  await setPolicy({ reasonForThirdParty: false })
  await apply((await makeLine({ payerName: 'RUI LIMA' })).id, [payOrder(await askFor('100.00'), '100.00')])
  await setPolicy({ reasonForThirdParty: true })
})

test('a decision keeps whether the policy would have made it too (product 7.11)', async () => {
  const verdicts = async (id: string) =>
    (
      await server.sql<{ verdict: string | null }>(
        'SELECT policy_verdict AS verdict FROM bank_allocations WHERE line_id = $1 ORDER BY id',
        [id],
      )
    ).map(({ verdict }) => verdict)
  const [order, other] = [await askFor('100.00'), await askFor('100.00')]
  const named = { remittance: [order.paymentReference] }
  const [wrong, ignored, right, unnamed] = [
    await makeLine(named),
    await makeLine(named),
    await makeLine(named),
    await makeLine(),
  ]
  await apply(wrong.id, [payOrder(other, '100.00')])
  await apply(ignored.id, [{ purpose: 'ignored', amount: '60.00', code: 'fee' }])
  await apply(ignored.id, [{ purpose: 'ignored', amount: '40.00', code: 'fee' }])
  await apply(right.id, [payOrder(order, '100.00')])
  await apply(unnamed.id, [payOrder(await askFor('100.00'), '100.00')])
  expect(await Promise.all([wrong, ignored, right, unnamed].map(({ id }) => verdicts(id)))).toEqual([
    ['other'],
    ['other', null],
    ['same'],
    ['nothing'],
  ])
})
test('a payer’s account is confirmed by the payment, and no longer once it is undone (product 7.10)', async () => {
  const iban = 'PT50000201231234567890154'
  const payers = async () => (await ada('GET', `/api/users/${member.id}/payers`)).json()
  const [one, other] = [await askFor('100.00'), await askFor('100.00')]
  const first = await apply((await makeLine({ payerAccount: iban })).id, [payOrder(one, '100.00')])
  expect((await payers()).accounts).toMatchObject([{ account: iban, confirmedBy: 'ada', payments: 1, sharedWith: 0 }])
  const second = await apply((await makeLine({ payerAccount: iban })).id, [payOrder(other, '100.00')])
  await undo(first.allocations[0]!.id)
  expect((await payers()).accounts).toMatchObject([{ account: iban, payments: 1 }])
  await undo(second.allocations[0]!.id)
  expect((await payers()).accounts).toEqual([])
})

test('another person’s account is not confirmed, and the payment is listed (product 8.2)', async () => {
  const order = await askFor('100.00')
  const line = await makeLine({ payerName: 'RUI COSTA', payerAccount: 'PT50000201231234567890154' })
  await apply(line.id, [payOrder(order, '100.00')], { reason: 'Her husband' })
  const { accounts, thirdParty } = (await ada('GET', `/api/users/${member.id}/payers`)).json()
  expect(accounts).toEqual([])
  expect(thirdParty[0]).toMatchObject({
    lineId: line.id,
    payer: { name: 'RUI COSTA' },
    amount: '100.00',
    order: { orderNumber: order.orderNumber },
    reason: 'Her husband',
  })
})

test('an account that another member has paid from is another person’s (product 7.10)', async () => {
  const iban = 'DE02120300000000202051'
  const rui = await makeMember(server, { legalFirstName: 'Rui', legalLastName: 'Costa' })
  const paid = await makeOrder(server, rui.id, { investmentAmount: '100.00' })
  await apply((await makeLine({ payerName: 'RUI COSTA', payerAccount: iban })).id, [payOrder(paid, '100.00')])
  const order = await askFor('100.00')
  const line = await makeLine({ payerAccount: iban })
  const reply = await ada('POST', `/api/bank/lines/${line.id}/allocations`, {
    allocations: [payOrder(order, '100.00')],
  })
  expect(reply.json().message).toBe(
    'The account of this payment belongs to another member than Ana Lima: give a reason to take this payment',
  )
})
