import { expect, test } from 'vitest'
import { makeAttempt, makeMember, makeOrder } from '#test/support/make.ts'
import { buildOrderBody, createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const ada = server.as('ada')
const invisible = '\u200b \u3164\u{1d159}'

test('a reason that shows nothing is not a reason (product 9.5)', async () => {
  const member = await makeMember(server, { kycStatus: 'under_review', kycSubmissionCount: 1 })
  await makeAttempt(server, member.id)
  const order = await makeOrder(server, member.id)
  const calls = [
    ['POST', `/api/users/${member.id}/ban`, { reason: invisible }],
    ['POST', `/api/users/${member.id}/kyc/reject`, { rejectionReason: invisible }],
    ['PATCH', `/api/orders/${order.id}/status`, { status: 'cancelled', notes: invisible }],
  ] as const
  for (const [method, path, body] of calls) expect((await ada(method, path, body)).statusCode, path).toBe(400)
  expect(await server.sql('SELECT banned, kyc_status FROM members WHERE id = $1', [member.id])).toEqual([
    { banned: false, kyc_status: 'under_review' },
  ])
})

test('notes that show nothing are kept as none', async () => {
  const member = await makeMember(server)
  const order = await makeOrder(server, member.id)
  const body = { status: 'paid', notes: invisible }
  expect((await ada('PATCH', `/api/orders/${order.id}/status`, body)).statusCode).toBe(200)
  expect(await server.sql('SELECT notes FROM orders WHERE id = $1', [order.id])).toEqual([{ notes: null }])
})

test('a token is not named by what shows nothing', async () => {
  const token = { projectName: 'Solar Park', tokenSymbol: 'SOLR', decimals: 18 }
  for (const field of ['projectName', 'tokenSymbol']) {
    const reply = await call('PUT', `/tokens/earning/0x${'ab'.repeat(20)}`, { ...token, [field]: invisible })
    expect([reply.statusCode, reply.json().message]).toEqual([400, `${field}: must not be empty`])
  }
})

test.each([
  'a\u200b@example.com',
  '\u202eb@example.com',
  'c@example\u00ad.com',
  'd\u3164@example.com',
  'e\u2800@example.com',
  'f\ue000@example.com',
])('an e-mail address with a character that nobody sees is refused: %j', async (email) => {
  const reply = await call('PUT', '/members/twin', { email })
  expect([reply.statusCode, reply.json().message]).toEqual([400, 'email: must be an e-mail address'])
})

test('each field is refused once, and an id by what it must not be', async () => {
  const broken = await call('PUT', '/members/half', '{"email":"half@example.com","legalFirstName":"\\ud800"}')
  expect(broken.json().details).toEqual([
    { field: 'legalFirstName', message: 'must not hold NUL or broken characters' },
  ])
  const named = await call('PUT', '/orders/O-half', buildOrderBody('..'))
  expect(named.json().message).toBe('memberId: must be 1 to 64 of letters, digits and - _ . :, and not . or ..')
})
