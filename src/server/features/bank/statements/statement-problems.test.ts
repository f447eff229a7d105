import { expect, test } from 'vitest'
import { createBankCaller } from '#test/support/bank.ts'
import { camtEntry } from '#test/support/bank-files.ts'
import { type StatementShape, writeStatement } from '#test/support/numbered-statements.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)

const none = { differences: { count: 0, oldest: null }, gaps: { count: 0, oldest: null } }

let accounts = 0
/** Another account, so that a test's statements follow no other test's. */
async function addAccount() {
  const account = `00${(accounts += 1)}4711`
  const { id } = await bank.addAccount({ name: `Account ${accounts}`, account })
  return { id, account }
}
async function importStatements(...shapes: StatementShape[]) {
  const { account } = await addAccount()
  for (const shape of shapes) await bank.importFile(writeStatement(account, shape))
}
const countGaps = async () => (await bank.call('GET', '/api/bank/statements?attention=gap')).json().total

test('a gap that is accepted is no longer one, with who, when and why (product 3.6)', async () => {
  await importStatements(
    { number: '3', from: '0.00', to: '5.00' },
    { number: '5', from: '9.00', to: '11.00', day: '2026-11-05' },
  )
  const before = await countGaps()
  const [gap, first] = (await bank.call('GET', '/api/bank/statements?limit=2')).json().statements
  const accept = (id: string, reason: unknown = 'Number 4 was never written') =>
    bank.call('POST', `/api/bank/statements/${id}/accept-gap`, { reason })
  const accepted = await accept(gap.id)
  expect([accepted.statusCode, accepted.json()]).toMatchObject([
    200,
    {
      message: 'Gap accepted',
      statement: { number: '5', isGap: false, acceptedGap: { by: 'ada', reason: 'Number 4 was never written' } },
    },
  ])
  expect(await countGaps()).toBe(before - 1)
  const [row] = await server.sql(`SELECT actor_name, target_id, details FROM audit_log WHERE action = 'accept_gap'`)
  expect(row).toMatchObject({
    actor_name: 'ada',
    target_id: gap.id,
    details: { number: '5', reason: 'Number 4 was never written' },
  })
  expect((await accept(gap.id)).json()).toMatchObject({
    code: 'no_gap',
    message: expect.stringMatching(/^The gap was accepted by ada on /),
  })
  expect((await accept(first.id)).json()).toMatchObject({
    code: 'no_gap',
    message: 'Nothing is missing before this statement',
  })
  expect((await accept('999999')).statusCode).toBe(404)
  expect((await accept(gap.id, ' ')).statusCode).toBe(400)
})

test('a difference that is accepted counts in the account’s own sum', async () => {
  const { id, account } = await addAccount()
  const read = async () => (await bank.accounts()).find((each) => each.id === id)!
  const right = writeStatement(account, { number: '1', from: '0.00', to: '5.00', day: '2026-11-02' })
  await bank.importFile(right.replace('5.00', '5.75'))
  const [off] = (await bank.call('GET', `/api/bank/statements?accountId=${id}`)).json().statements
  const { difference } = off
  expect(await read()).toMatchObject({
    problems: { differences: { count: 1, oldest: { number: '1', amount: difference } } },
    proof: { accepted: '0.00', difference },
  })
  const accept = (reason: unknown = 'The bank corrects it') =>
    bank.call('POST', `/api/bank/statements/${off.id}/accept-difference`, { reason })
  expect((await accept(' ')).statusCode).toBe(400)
  expect((await accept()).json()).toMatchObject({
    message: 'Difference accepted',
    statement: { difference, acceptedDifference: { by: 'ada', reason: 'The bank corrects it' } },
  })
  expect(await read()).toMatchObject({ problems: none, proof: { difference: '0.00' } })
  const [row] = await server.sql(`SELECT target_id, details FROM audit_log WHERE action = 'accept_difference'`)
  expect(row).toMatchObject({ target_id: off.id, details: { number: '1', difference, reason: 'The bank corrects it' } })
  expect((await accept()).json()).toMatchObject({
    code: 'no_difference',
    message: expect.stringMatching(/^The difference was accepted by ada on /),
  })
  await bank.importFile(writeStatement(account, { number: '2', from: '5.75', to: '6.00', day: '2026-11-03' }))
  const [sound] = (await bank.call('GET', `/api/bank/statements?accountId=${id}`)).json().statements
  const refused = await bank.call('POST', `/api/bank/statements/${sound.id}/accept-difference`, { reason: 'x' })
  expect(refused.json()).toMatchObject({ code: 'no_difference' })
})

test('an account tells how many of its statements do not hold, and the oldest (product 6.11)', async () => {
  const { id, account } = await addAccount()
  const problems = async () => (await bank.accounts()).find((each) => each.id === id)!.problems
  await bank.importFile(writeStatement(account, { number: '1', from: '0.00', to: '5.00', day: '2026-11-02' }))
  expect(await problems()).toEqual(none)
  const off = writeStatement(account, { number: '2', from: '5.00', to: '7.00', day: '2026-11-03' }).replace(
    '7.00',
    '7.50',
  )
  await bank.importFile(off)
  await bank.importFile(writeStatement(account, { number: '4', from: '9.00', to: '11.00', day: '2026-11-05' }))
  expect(await problems()).toEqual({
    differences: { count: 1, oldest: { number: '2', day: '2026-11-03', amount: '-0.50' } },
    gaps: { count: 1, oldest: { number: '4', day: '2026-11-05', amount: '1.50' } },
  })
  await bank.importFile(writeStatement(account, { number: '9', from: '90.00', to: '91.00', day: '2026-11-09' }))
  expect(await problems()).toMatchObject({ differences: { count: 1 }, gaps: { count: 2 } })
  for (const attention of ['difference', 'gap'])
    expect(
      (await bank.call('GET', `/api/bank/statements?accountId=${id}&attention=${attention}`)).json().total,
      attention,
    ).toBe(attention === 'gap' ? 2 : 1)
})

test('a statement that does not add up and follows a gap tells both (product 6.11)', async () => {
  const { id, account } = await addAccount()
  await bank.importFile(writeStatement(account, { number: '1', from: '0.00', to: '5.00', day: '2026-11-02' }))
  const off = writeStatement(account, { number: '3', from: '8.00', to: '9.00', day: '2026-11-04' }).replace(
    '9.00',
    '9.25',
  )
  await bank.importFile(off)
  const { problems } = (await bank.accounts()).find((each) => each.id === id)!
  expect(problems).toEqual({
    differences: { count: 1, oldest: { number: '3', day: '2026-11-04', amount: '-0.25' } },
    gaps: { count: 1, oldest: { number: '3', day: '2026-11-04', amount: '3.00' } },
  })
})

test('of two statements of one day the one that is not continued makes a difference', async () => {
  const { id, account } = await addAccount()
  const problems = async () => (await bank.accounts()).find((each) => each.id === id)!.problems
  const listed = async () =>
    (await bank.call('GET', `/api/bank/statements?accountId=${id}&attention=difference`)).json().statements
  const day = '2026-11-20'
  await bank.importFile(writeStatement(account, { number: '1', from: '0.00', to: '5.00', day: '2026-11-19' }))
  await bank.importFile(writeStatement(account, { number: '2', from: '5.00', to: '7.00', day }))
  await bank.importFile(writeStatement(account, { number: '4', from: '5.00', to: '19.34', day }))
  expect(await problems(), 'which of both is right is not known before the next').toEqual(none)
  await bank.importFile(writeStatement(account, { number: '3', from: '7.00', to: '8.00', day: '2026-11-21' }))
  expect(await problems()).toEqual({
    ...none,
    differences: { count: 1, oldest: { number: '4', day, amount: '12.34' } },
  })
  expect(await listed()).toMatchObject([
    { number: '4', difference: '0.00', contradiction: { number: '3', opening: '7.00', difference: '12.34' } },
  ])
  const { imports } = (await bank.call('GET', `/api/bank/imports?accountId=${id}`)).json()
  const undone = await bank.call('POST', `/api/bank/imports/${imports[1].id}/undo`, { reason: 'Not from our bank' })
  expect(undone.statusCode, undone.body).toBe(200)
  expect(await problems()).toEqual(none)
})

test('an edition of a day that a later one has whole is not a difference', async () => {
  const { id, account } = await addAccount()
  const day = '2026-11-20'
  const [noon, evening] = [
    writeStatement(account, { number: '7', from: '0.00', to: '5.00', day }),
    writeStatement(account, { number: '7', from: '0.00', to: '5.00', day }),
  ]
  await bank.importFile(noon)
  const second = camtEntry('2.00', 'CRDT').replace('2026-11-03', day)
  await bank.importFile(
    evening.replace('</Stmt>', `${second}</Stmt>`).replace(/(<Cd>CLBD<.*?<Amt [^>]*>)5\.00/, '$17.00'),
  )
  await bank.importFile(writeStatement(account, { number: '8', from: '7.00', to: '8.00', day: '2026-11-21' }))
  expect((await bank.accounts()).find((each) => each.id === id)).toMatchObject({
    problems: none,
    booked: { count: 3, credits: '8.00' },
  })
})

test('a statement that begins otherwise than the number before ended has a difference', async () => {
  const { id, account } = await addAccount()
  const day = '2026-11-23'
  await bank.importFile(writeStatement(account, { number: '233', from: '5.00', to: '7.00', day }))
  await bank.importFile(writeStatement(account, { number: '234', from: '19.50', to: '20.00', day }))
  expect((await bank.accounts()).find((each) => each.id === id)!.problems).toEqual({
    ...none,
    differences: { count: 1, oldest: { number: '233', day, amount: '-12.50' } },
  })
})

test('the latest statement is the one that ends last, not the one imported last', async () => {
  const { id, account } = await addAccount()
  await bank.importFile(writeStatement(account, { number: '2', from: '5.00', to: '7.00', day: '2026-11-23' }))
  await bank.importFile(writeStatement(account, { number: '1', from: '1.00', to: '5.00', day: '2026-11-20' }))
  expect((await bank.accounts()).find((each) => each.id === id)!.latest).toMatchObject({ number: '2', closing: '7.00' })
})
