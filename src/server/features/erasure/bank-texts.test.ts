import type { SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'
import { createTraceSearch } from '#test/support/trace-search.ts'
import { eraseMember } from './service.ts'

const server = await startServer()
const platform = createPlatformCaller(server)
const { makeLine } = await createStoredLines(server)
const { apply } = createAllocationCaller(server)
const { findRows } = createTraceSearch(server)
const admin = await createAdminCommand(server)
const writeOff = { purpose: 'ignored', amount: '100.00', code: 'unknown_returned' }
const erase = (id: string) => eraseMember(server.system, id)

let number = 0
/** A member whose name nobody else has. */
async function makePerson(family = `Quill${'abcdefghijklmnop'[number]}`) {
  number += 1
  const given = { legalFirstName: 'Ottoline', legalLastName: family, legalPhone: `+351 912 000 70${number}` }
  return { ...(await makeMember(server, given)), name: `Ottoline ${family}`, family, phone: given.legalPhone }
}
const readLine = async ({ id }: { id: string }) =>
  (
    await server.sql(
      `SELECT payer_name, payer_account, end_to_end_id, structured, remittance, info, details FROM bank_lines WHERE id = $1`,
      [id],
    )
  )[0]!
/** An order of the member that a line of 100.00 has paid, and that the platform has completed. */
async function payAndComplete(memberId: string, given: Parameters<typeof makeLine>[0]) {
  const [order, line] = [await makeOrder(server, memberId, { investmentAmount: '100.00' }), await makeLine(given)]
  await apply(line.id, [payOrder(order, '100.00')], { reason: 'Paid' })
  expect((await platform('POST', `/orders/${order.orderNumber}/complete`)).statusCode).toBe(200)
  return { order, line }
}

test('lines that no order leads to lose what tells the member, and nothing else (product 7.13)', async () => {
  const { id, family, phone, email } = await makePerson()
  const account = 'LT601010012345678901'
  await payAndComplete(id, { payerName: `OTTOLINE ${family}`, payerAccount: account })
  const lines = {
    own: await makeLine({
      payerName: `${family}, Ottoline`,
      payerAccount: 'FR7630006000011234567890189',
      remittance: ['gift'],
    }),
    account: await makeLine({ payerName: 'Pay Service Ltd', payerAccount: account, remittance: ['top up'] }),
    text: await makeLine({
      payerName: 'Brother Bo',
      payerAccount: 'NL91ABNA0417164300',
      remittance: [`For Öttoline  ${family}`, 'no order'],
      structured: ['RF18539007547034'],
    }),
    info: await makeLine({
      payerName: 'Brother Bo',
      info: [`Returned to ottoline ${family}`],
      details: { note: email },
    }),
    phone: await makeLine({ payerName: 'Brother Bo', endToEndId: phone }),
  }
  for (const line of Object.values(lines)) await apply(line.id, [writeOff], { reason: 'Unknown' })
  await erase(id)
  expect(await findRows([family, account, phone, email])).toEqual([])
  expect(await readLine(lines.own)).toMatchObject({ payer_name: null, payer_account: null, remittance: ['gift'] })
  expect(await readLine(lines.account)).toMatchObject({
    payer_name: 'Pay Service Ltd',
    payer_account: null,
    remittance: ['top up'],
  })
  expect(await readLine(lines.text)).toMatchObject({
    payer_name: 'Brother Bo',
    payer_account: 'NL91ABNA0417164300',
    remittance: [],
    structured: ['RF18539007547034'],
  })
  expect(await readLine(lines.info)).toMatchObject({ payer_name: 'Brother Bo', info: [], details: {} })
  expect(await readLine(lines.phone)).toMatchObject({ payer_name: 'Brother Bo', end_to_end_id: null })
})

test('a transfer that paid a refund back loses its payee, whatever the name (product 7.13)', async () => {
  const { id, family } = await makePerson()
  const { order, line } = await payAndComplete(id, { payerName: `Ottoline ${family}`, amount: '130.00' })
  await apply(line.id, [{ purpose: 'refund', amount: '30.00', cause: 'overpaid', orderId: order.id }], {
    reason: 'Back',
  })
  const debit = await makeLine({
    direction: 'debit',
    amount: '30.00',
    payerName: 'O. Q.',
    payerAccount: 'BE68539007547034',
    remittance: ['Refund'],
  })
  await apply(debit.id, [{ purpose: 'refund', lineId: line.id, amount: '30.00' }])
  await erase(id)
  expect(await readLine(debit)).toMatchObject({ payer_name: null, payer_account: null, remittance: [] })
})

test('a transfer that came back loses its payee, and so does its return (product 7.13)', async () => {
  const { id, family } = await makePerson()
  const { order, line } = await payAndComplete(id, { payerName: `Ottoline ${family}`, amount: '130.00' })
  const refund = { purpose: 'refund', amount: '30.00', cause: 'overpaid', orderId: order.id }
  await apply(line.id, [refund], { reason: 'Back' })
  const payee = { amount: '30.00', payerName: 'O. Q.', payerAccount: 'BE68539007547034', remittance: ['Refund'] }
  const [sent, again] = [
    await makeLine({ ...payee, direction: 'debit' }),
    await makeLine({ ...payee, direction: 'debit' }),
  ]
  const back = await makeLine({ ...payee, details: { returnReason: 'AC04' } })
  await apply(sent.id, [{ purpose: 'refund', lineId: line.id, amount: '30.00' }], { reason: 'Hers' })
  await apply(back.id, [{ purpose: 'return', lineId: sent.id, amount: '30.00' }])
  await apply(again.id, [{ purpose: 'refund', lineId: line.id, amount: '30.00' }], { reason: 'Hers' })
  await erase(id)
  for (const each of [sent, back, again])
    expect(await readLine(each)).toMatchObject({ payer_name: null, payer_account: null, remittance: [] })
})

test('a refund that is due keeps its member, whatever else of its line was paid back', async () => {
  const [first, second] = [await makePerson(), await makePerson()]
  const { order, line } = await payAndComplete(first.id, { payerName: first.name, amount: '160.00' })
  const other = await payAndComplete(second.id, { payerName: second.name })
  const refunds = [order, other.order].map(({ id }) => ({
    purpose: 'refund',
    amount: '30.00',
    cause: 'overpaid',
    orderId: id,
  }))
  await apply(line.id, refunds, { reason: 'Back' })
  const debit = await makeLine({ direction: 'debit', amount: '30.00' })
  await apply(debit.id, [{ purpose: 'refund', lineId: line.id, amount: '30.00' }], { reason: 'Theirs' })
  await expect(erase(second.id)).rejects.toThrow('money is open: 1 refund due')
  await erase(first.id)
})

test('a line of the member that is yet to be worked keeps the member from being erased', async () => {
  const { id, name } = await makePerson()
  const line = await makeLine({ payerName: name })
  await expect(erase(id)).rejects.toThrow('The member cannot be erased while money is open: 1 bank line to be worked')
  await apply(line.id, [writeOff], { reason: 'Unknown' })
  await erase(id)
  expect(await readLine(line)).toMatchObject({ payer_name: null })
})

test('lines of namesakes, shared accounts and orders of others stay as they are', async () => {
  const { id, name, family } = await makePerson()
  const other = await makePerson()
  const namesake = await makePerson()
  await server.sql('UPDATE members SET legal_last_name = $2 WHERE id = $1', [namesake.id, `${namesake.family}-Bo`])
  const shared = 'LT121000011101001000'
  await payAndComplete(id, { payerName: name, payerAccount: shared })
  await payAndComplete(other.id, { payerName: other.name, payerAccount: shared })
  const paidForOther = await payAndComplete(other.id, { payerName: name, remittance: ['for a friend'] })
  const lines = [
    await makeLine({ payerName: `Mottoline ${family}er` }),
    await makeLine({ payerName: 'Pay Service Ltd', payerAccount: shared }),
    await makeLine({ payerName: namesake.name }),
  ]
  for (const line of lines) await apply(line.id, [writeOff], { reason: 'Unknown' })
  const before = await Promise.all([...lines, paidForOther.line].map(readLine))
  await erase(id)
  expect(await Promise.all([...lines, paidForOther.line].map(readLine))).toEqual(before)
  // Whose a line is cannot be told while somebody else has the name.
  const twin = await makeMember(server, { legalFirstName: 'Ottoline', legalLastName: namesake.family })
  await erase(twin.id)
  expect(await readLine(lines[2]!)).toMatchObject({ payer_name: namesake.name })
})

test('notes on security events lose what tells the member, in the audit log too (product 7.13)', async () => {
  const { id, name, family } = await makePerson()
  const [event] = await server.sql<{ id: string }>(
    "INSERT INTO security_events (severity, event_type, description) VALUES ('low', 'x', 'X') RETURNING id::text",
  )
  const reply = await server.as('ada')('POST', `/api/security/events/${event!.id}/resolve`, { note: `${name} rang` })
  expect(reply.statusCode).toBe(200)
  const log = async () => (await server.as('ada')('GET', '/api/admin/logs?action=resolve_event')).json().logs[0].details
  expect(await log()).toMatchObject({ after: { resolved: true, resolutionNote: `${name} rang` } })
  await erase(id)
  expect(await findRows([family])).toEqual([])
  expect(await log()).toMatchObject({ after: { resolved: true, resolutionNote: null } })
  expect((await admin(['audit', 'verify'], { environment: { DATA_DIR: server.services.config.dataDir } })).code).toBe(0)
})

/** Erases with `during` at each statement before the last transaction, and `between` as that begins. */
async function eraseWith(id: string, during: () => Promise<unknown>, between: () => Promise<unknown>) {
  const { database } = server.system
  let transactions = 0
  let statements = 0
  const db = Object.create(database.db, {
    execute: {
      value: async (statement: SQL) => {
        if (transactions === 1) {
          statements += 1
          await during()
        }
        return database.db.execute(statement)
      },
    },
  }) as typeof database.db
  const transaction: typeof database.transaction = async (work) => {
    if (transactions++ === 1) await between()
    return database.transaction(work)
  }
  await eraseMember({ ...server.system, database: { ...database, db, transaction } }, id)
  return statements
}

test('no one waits for the member while lines are read, and a later line is erased', async () => {
  const { id, family } = await makePerson()
  const makeNamed = async () => {
    const line = await makeLine({ payerName: 'Brother Bo', info: [`Returned to ottoline ${family}`] })
    await apply(line.id, [writeOff], { reason: 'Unknown' })
  }
  await makeNamed()
  const changeMember = () =>
    server.sql(
      `UPDATE members SET version = version + 1 WHERE id IN (SELECT id FROM members WHERE id = $1 FOR UPDATE NOWAIT)`,
      [id],
    )
  expect(await eraseWith(id, changeMember, makeNamed)).toBeGreaterThan(2)
  expect(await findRows([family])).toEqual([])
})

test('a name that changes while lines are read is looked for in all of them', async () => {
  const { id, family } = await makePerson()
  for (const name of [family, 'Quincunx']) {
    const line = await makeLine({ payerName: 'Brother Bo', info: [`Returned to ottoline ${name}`] })
    await apply(line.id, [writeOff], { reason: 'Unknown' })
  }
  const rename = () => server.sql(`UPDATE members SET legal_last_name = 'Quincunx' WHERE id = $1`, [id])
  await eraseWith(id, async () => {}, rename)
  expect(await findRows(['Quincunx'])).toEqual([])
})
