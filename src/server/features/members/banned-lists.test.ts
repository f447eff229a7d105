import { beforeAll, expect, test } from 'vitest'
import { makeAttempt, makeMember, makeOrder, makeTransaction } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const as = server.as('ada')
const banned = { kycBanned: true, bannedReason: 'Chargeback' }

beforeAll(async () => {
  const { id } = await makeMember(server, { id: 'maria', kycStatus: 'under_review', kycSubmissionCount: 1 })
  await makeAttempt(server, id)
  await makeOrder(server, id)
  await makeTransaction(server, id)
  expect((await as('POST', `/api/users/${id}/ban`, { reason: 'Chargeback' })).statusCode).toBe(200)
})

test.each(['verifications', 'submission-history', 'step2-history', 'step3-history', 'step4-history'])(
  'a banned member is named so in %s',
  async (list) => {
    const reply = (await as('GET', `/api/kyc/${list}`)).json()
    expect(reply.verifications ?? reply.history).toMatchObject([{ user: banned }])
  },
)

test('a banned member is named so in transactions, orders and the order itself', async () => {
  expect((await as('GET', '/api/transactions')).json().transactions).toMatchObject([{ user: banned }])
  const { orders } = (await as('GET', '/api/orders')).json()
  expect(orders).toMatchObject([{ userBanned: true, userBannedReason: 'Chargeback' }])
  const { order } = (await as('GET', `/api/orders/${orders[0].id}`)).json()
  expect(orders[0]).toMatchObject(order)
})

test('a banned member is named so in the case under review', async () => {
  const { case: next } = (await as('POST', '/api/kyc/cases/claim-next', {})).json()
  expect(next).toMatchObject({ user: banned, verification: { user: banned } })
})

test.each(['kyc-submissions', 'kyc-verifications', 'kyc-step2', 'kyc-step3', 'kyc-step4', 'orders'])(
  'a banned member is named so in the file of %s, with the reason',
  async (file) => {
    const [head, row] = (await as('GET', `/api/exports/${file}`)).body.split('\r\n')
    expect(head).toMatch(/,User Status,Ban Reason$/)
    expect(row).toMatch(/,Banned,Chargeback$/)
  },
)

test('operators may still decide on a banned member', async () => {
  const [order] = (await as('GET', '/api/orders')).json().orders
  expect((await as('PATCH', `/api/orders/${order.id}/status`, { status: 'paid' })).statusCode).toBe(200)
  expect((await as('POST', '/api/users/maria/kyc/approve')).statusCode).toBe(200)
})
