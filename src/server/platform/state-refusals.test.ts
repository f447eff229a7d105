import { expect, test } from 'vitest'
import { createImporter } from '#test/support/import.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { buildOrderBody, createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = createPlatformCaller(server)

async function makeTransaction(first: object) {
  const { id: memberId } = await makeMember(server)
  const moved = { type: 'deposit', amount: '250.00', status: 'pending', createdAt: '2026-01-05T09:00:00Z' }
  const path = `/members/${memberId}/transactions/${memberId}-t`
  const put = async (change: object) => {
    const reply = (await call('PUT', path, { ...moved, ...change })).json()
    return reply.outcome ?? [reply.code, reply.details]
  }
  expect(await put(first)).toBe('created')
  const { type: kind, ...rest } = moved
  return { put, line: { ...rest, type: 'transaction', kind, id: `${memberId}-t`, memberId } }
}

test('a pending transaction may change in all but its member', async () => {
  const { put } = await makeTransaction({})
  expect(await put({ type: 'withdrawal', amount: '5' })).toBe('updated')
  expect(await put({ status: 'completed', amount: '6' })).toBe('updated')
})

test('a completed transaction may only become failed, by a call or by a line', async () => {
  const { put, line } = await makeTransaction({ status: 'completed' })
  const refused = ['transaction_state', { status: 'completed' }]
  expect(await put({ status: 'pending' })).toEqual(refused)
  expect(await put({ status: 'completed', amount: '500' })).toEqual(refused)
  expect(await put({ status: 'completed', type: 'withdrawal' })).toEqual(refused)
  expect(await put({ status: 'failed', amount: '500' })).toEqual(refused)
  expect(await createImporter(server)(line)).toMatchObject({
    refused: 1,
    errors: [{ line: 1, code: 'transaction_state' }],
  })
  expect(await put({ status: 'completed', amount: '250' })).toBe('unchanged')
  expect(await put({ status: 'failed' })).toBe('updated')
})

test('a failed transaction is final', async () => {
  const { put } = await makeTransaction({ status: 'failed' })
  const refused = ['transaction_state', { status: 'failed' }]
  for (const status of ['pending', 'completed']) expect(await put({ status })).toEqual(refused)
  expect(await put({ status: 'failed', amount: '5' })).toEqual(refused)
  expect(await put({ status: 'failed' })).toBe('unchanged')
})

test('a refusal by the state of an order names the state for programs', async () => {
  const { id } = await makeMember(server)
  const asAda = server.as('ada')
  const details = async (orderNumber: string) => (await call('POST', `/orders/${orderNumber}/complete`)).json().details
  const waiting = await makeOrder(server, id)
  expect(await details(waiting.orderNumber)).toEqual({ status: 'waiting_payment', by: null, at: null })
  const due = await makeOrder(server, id, { expiresAt: '2026-01-05T09:00:00.000Z' })
  expect(await details(due.orderNumber)).toMatchObject({ status: 'expired', by: 'system' })
  await call('PUT', '/orders/S-1', buildOrderBody(id))
  const { id: rowId } = (await server.sql<{ id: string }>(`SELECT id FROM orders WHERE order_number = 'S-1'`))[0]!
  const cancelled = await asAda('PATCH', `/api/orders/${rowId}/status`, { status: 'cancelled', notes: 'Twice' })
  expect(cancelled.statusCode).toBe(200)
  expect(await details('S-1')).toMatchObject({ status: 'cancelled', by: 'ada' })
  const changed = await call('PUT', '/orders/S-1', buildOrderBody(id, { projectName: 'Wind' }))
  expect(changed.json()).toMatchObject({ code: 'order_state', details: { status: 'cancelled', by: 'ada' } })
})

test('refusals by the state of a member or an attempt name the state for programs', async () => {
  const { id } = await makeMember(server)
  const asAda = server.as('ada')
  const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
  const refusal = async (path: string, body: object) => {
    const { code, details } = (await call('PUT', path, body)).json()
    return { code, ...details }
  }
  await call('PUT', `/members/${id}/kyc/1`, { step2, submit: true })
  const other = { step2: { ...step2, nationality: 'Spain' } }
  expect(await refusal(`/members/${id}/kyc/1`, other)).toMatchObject({
    code: 'attempt_submitted',
    status: 'under_review',
  })
  await call('PUT', `/members/${id}/kyc/2`, { submit: true })
  expect(await refusal(`/members/${id}/kyc/1`, other)).toMatchObject({ code: 'attempt_superseded', latestAttempt: 2 })
  await asAda('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
  expect(await refusal('/orders/S-2', buildOrderBody(id))).toEqual({ code: 'member_banned', status: 'banned' })
  const twice = await asAda('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
  expect(twice.json()).toMatchObject({ code: 'already_banned', details: { status: 'banned', by: 'ada' } })
})
