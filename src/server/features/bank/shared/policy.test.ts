import { beforeEach, expect, test } from 'vitest'
import type { BankPolicy, PolicyChange } from '#contract/schemas/bank-policy.ts'
import { importPayments } from '#test/support/bank-payments.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { countStatements } from '#test/support/statement-count.ts'

const server = await startServer()
const ada = server.as('ada')
const grace = server.as('grace')
await createBankCaller(server).addAccount()
const ana = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const strict: PolicyChange = {
  autoApply: false,
  autoCombined: false,
  autoRemainder: false,
  payerName: 'same',
  feeTolerance: '35.00',
  graceDays: 1,
  overpaidUpTo: '0.00',
  reasonForThirdParty: true,
  maxAutoAmount: null,
}
let made = 10_240
let cents = 0
/** A waiting order, and a line that pays it exactly if nothing else is said. */
async function makePayment(payment: Parameters<typeof importPayments>[1] = {}) {
  const amount = `100.${String((cents += 1)).padStart(2, '0')}`
  const order = await makeOrder(server, ana.id, { orderNumber: `ORD-0${(made += 11)}`, investmentAmount: amount })
  const [id] = await importPayments(server, { text: order.orderNumber, payer: 'ANA LIMA', amount, ...payment })
  await runJob(server.services, 'propose-matches')
  return { id: id!, order, amount }
}
const readPolicy = async (): Promise<BankPolicy> => (await ada('GET', '/api/bank/policy')).json().policy
const save = (change: object, version?: number) =>
  ada('PUT', '/api/bank/policy', { ...strict, ...change }, version === undefined ? {} : { 'if-match': `"${version}"` })
const readAllocationIds = async (lineId: string) =>
  (await server.sql<{ id: string }>('SELECT id::text FROM bank_allocations WHERE line_id = $1', [lineId])).map(
    ({ id }) => id,
  )
const applyExact = (...ids: string[]) =>
  ada('POST', '/api/bank/apply-exact', { lines: ids.map((id) => ({ id, version: 1 })) })
const apply = (id: string, allocations: object[]) => ada('POST', `/api/bank/lines/${id}/allocations`, { allocations })
const readStatus = async (id: string) =>
  (await server.sql<{ status: string }>('SELECT status FROM orders WHERE id = $1', [id]))[0]!.status

beforeEach(async () => {
  expect((await save({})).statusCode).toBe(200)
})

test('the policy is off at first, and strict (product 7.11)', async () => {
  expect(await readPolicy()).toMatchObject({ ...strict, confirmed: { right: 0, total: 0 } })
})

test('a change of the policy is audited with before and after', async () => {
  const before = await readPolicy()
  const reply = await save({ autoApply: true, maxAutoAmount: '5000' }, before.version)
  const after = { ...strict, autoApply: true, maxAutoAmount: '5000.00' }
  expect(reply.json()).toMatchObject({
    message: 'Reconciliation policy saved',
    policy: { ...after, version: before.version + 1, changedBy: 'ada' },
  })
  const [row] = await server.sql("SELECT * FROM audit_log WHERE action = 'set_bank_policy' ORDER BY id DESC LIMIT 1")
  expect(row).toMatchObject({ actor_name: 'ada', target_type: 'bank_policy', details: { before: strict, after } })
})

test('the same policy again changes nothing', async () => {
  const { version } = await readPolicy()
  await save({})
  expect((await readPolicy()).version).toBe(version)
})

test('only a rule that proposals look at has all lines scored again (product 7.12)', async () => {
  const isFollowed = async () =>
    (await server.sql<{ is: boolean }>('SELECT refreshed_to IS NOT NULL AS is FROM bank_policy'))[0]!.is
  await makePayment()
  await save({ autoApply: true, graceDays: 3, overpaidUpTo: '1.00', reasonForThirdParty: false })
  expect(await isFollowed()).toBe(true)
  await save({ autoApply: true, maxAutoAmount: '5000' })
  expect(await isFollowed()).toBe(false)
})

test('a policy that was changed meanwhile is not overwritten (product 8.4)', async () => {
  const { version } = await readPolicy()
  await save({ autoCombined: true })
  const reply = await save({ autoApply: true }, version)
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({
    code: 'stale',
    message: expect.stringMatching(/^The policy was changed meanwhile, by ada on .* UTC\. Look again and decide\.$/),
  })
  expect(await readPolicy()).toMatchObject({ autoApply: false, autoCombined: true })
})

test.each([
  { graceDays: 8 },
  { feeTolerance: '-1' },
  { overpaidUpTo: '0.001' },
  { payerName: 'any' },
  { maxAutoAmount: '1e3' },
])('the policy takes no %j', async (change) => {
  expect((await save(change)).statusCode).toBe(400)
})

test('nothing is applied together while the policy is off', async () => {
  const { id, order } = await makePayment()
  const reply = await applyExact(id)
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({ code: 'policy_off', message: 'The policy lets no lines be applied together' })
  expect(await readStatus(order.id)).toBe('waiting_payment')
})

test('lines that fit exactly are applied in one press, by who presses', async () => {
  await save({ autoApply: true })
  const [one, other] = [await makePayment(), await makePayment()]
  const reply = await applyExact(one.id, other.id)
  expect(reply.json()).toEqual({
    applied: [
      { id: one.id, orderNumbers: [one.order.orderNumber], allocationIds: await readAllocationIds(one.id) },
      { id: other.id, orderNumbers: [other.order.orderNumber], allocationIds: await readAllocationIds(other.id) },
    ],
    skipped: [],
  })
  expect([await readStatus(one.order.id), await readStatus(other.order.id)]).toEqual(['paid', 'paid'])
  const allocations = await server.sql(
    'SELECT rule, made_by, policy_verdict FROM bank_allocations WHERE line_id = $1',
    [one.id],
  )
  expect(allocations).toEqual([{ rule: 'exact', made_by: 'ada', policy_verdict: null }])
  const [row] = await server.sql("SELECT * FROM audit_log WHERE action = 'apply_payment' ORDER BY id DESC LIMIT 1")
  expect(row).toMatchObject({ actor_name: 'ada', target_type: 'bank_line', target_id: other.id })
})

test('a line applied with others takes no more statements than one by hand', async () => {
  await save({ autoApply: true })
  const [first, exact, byHand] = [await makePayment(), await makePayment(), await makePayment()]
  await applyExact(first.id)
  const ofExact = await countStatements(() => applyExact(exact.id))
  const allocations = [{ purpose: 'order', orderId: byHand.order.id, amount: byHand.amount }]
  const ofHand = await countStatements(() => apply(byHand.id, allocations))
  expect([await readStatus(exact.order.id), await readStatus(byHand.order.id)]).toEqual(['paid', 'paid'])
  expect(ofExact).toBeLessThanOrEqual(ofHand)
})

test('a line that fits no longer is skipped with the reason', async () => {
  await save({ autoApply: true })
  const [paid, third, claimed, fine] = [
    await makePayment(),
    await makePayment({ payer: 'RUI LIMA' }),
    await makePayment(),
    await makePayment(),
  ]
  await ada('PATCH', `/api/orders/${paid.order.id}/status`, { status: 'paid' })
  await grace('POST', `/api/bank/lines/${claimed.id}/claim`)
  const { applied, skipped } = (await applyExact(paid.id, third.id, claimed.id, fine.id, '999999')).json()
  expect(applied).toMatchObject([{ id: fine.id, orderNumbers: [fine.order.orderNumber] }])
  expect(skipped).toEqual([
    { id: paid.id, message: 'The order waits no longer' },
    { id: third.id, message: 'Another than the member paid' },
    { id: claimed.id, message: expect.stringMatching(/^grace has this line open, until /) },
    { id: '999999', message: 'Bank line not found' },
  ])
})

test('a line that fits another order than was proposed is skipped (product 9.11)', async () => {
  await save({ autoApply: true })
  const { id, order } = await makePayment()
  await server.sql("UPDATE bank_lines SET proposed_orders = '{}' WHERE id = $1", [id])
  expect((await applyExact(id)).json()).toMatchObject({
    applied: [],
    skipped: [{ id, message: 'Another order fits than was proposed: look again' }],
  })
  expect(await readStatus(order.id)).toBe('waiting_payment')
})

test('a line that was changed since it was seen is skipped', async () => {
  await save({ autoApply: true })
  const { id } = await makePayment()
  const reply = await ada('POST', '/api/bank/apply-exact', { lines: [{ id, version: 7 }] })
  expect(reply.json().skipped).toEqual([{ id, message: expect.stringMatching(/^This line was changed meanwhile/) }])
})

test('one of four presses at once applies a line', async () => {
  await save({ autoApply: true })
  const { id, order } = await makePayment()
  const replies = await Promise.all(Array.from({ length: 4 }, () => applyExact(id)))
  expect(replies.flatMap((reply) => reply.json().applied)).toHaveLength(1)
  expect(await server.sql('SELECT id FROM bank_allocations WHERE order_id = $1', [order.id])).toHaveLength(1)
})

test('what operators decide tells how often the policy would have been right', async () => {
  const { right, total } = (await readPolicy()).confirmed
  const [same, other, nothing] = [await makePayment(), await makePayment(), await makePayment({ payer: 'RUI LIMA' })]
  const toOrder = ({ order, amount }: typeof same) => ({ purpose: 'order', orderId: order.id, amount })
  const reply = await apply(same.id, [toOrder(same)])
  await apply(other.id, [{ purpose: 'ignored', code: 'other_business', amount: other.amount }])
  await ada('POST', `/api/bank/lines/${nothing.id}/allocations`, {
    allocations: [toOrder(nothing)],
    reason: 'his brother',
  })
  const verdicts = await server.sql<{ line_id: string; policy_verdict: string }>(
    'SELECT line_id::text, policy_verdict FROM bank_allocations WHERE line_id = ANY($1::bigint[]) ORDER BY line_id',
    [[same.id, other.id, nothing.id]],
  )
  expect(verdicts.map(({ policy_verdict }) => policy_verdict)).toEqual(['same', 'other', 'nothing'])
  expect((await readPolicy()).confirmed).toEqual({ right: right + 1, total: total + 2 })
  await ada('POST', `/api/bank/allocations/${reply.json().allocations[0].id}/undo`, { reason: 'it was another order' })
  expect((await readPolicy()).confirmed).toEqual({ right, total: total + 2 })
})

test('a payment that a person undid is never exact again, and says why (product 7.12)', async () => {
  await save({ autoApply: true })
  const { id, order } = await makePayment()
  expect((await applyExact(id)).json().applied).toHaveLength(1)
  const [allocationId] = await readAllocationIds(id)
  const undone = await ada('POST', `/api/bank/allocations/${allocationId}/undo`, {
    reason: 'She paid for another order',
  })
  expect(undone.statusCode).toBe(200)
  const { line, ...proposal } = (await ada('GET', `/api/bank/lines/${id}`)).json()
  expect(proposal.obstacle).toBe('It was applied before, and undone')
  expect(proposal.candidates[0]).toMatchObject({ orders: [{ id: order.id }], isLikely: true })
  expect(proposal.candidates[0].reasons).toContainEqual({
    text: 'Applied before, and undone by ada: She paid for another order',
    speaks: 'against',
  })
  const again = await ada('POST', '/api/bank/apply-exact', { lines: [{ id, version: line.version }] })
  expect(again.json()).toMatchObject({ applied: [], skipped: [{ message: 'It was applied before, and undone' }] })
  expect((await apply(id, [{ purpose: 'order', orderId: order.id, amount: order.investmentAmount }])).statusCode).toBe(
    200,
  )
})
