import { expect, test } from 'vitest'
import { errorStatuses, type ErrorCode } from '#contract/errors.ts'
import { makeDocument, makeMember, makeOrder, newAddress } from '#test/support/make.ts'
import { paymentDetails } from '#test/support/payment-details.ts'
import { buildOrderBody, createPlatformCaller, listCallRecords, readAllTables } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { waitForAnnouncements } from './announce-soon.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const console_ = server.as('ada')

const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
const transaction = { type: 'deposit', amount: '250.00', status: 'completed', createdAt: '2026-01-05T09:00:00Z' }
const token = { projectName: 'Solar Park', tokenSymbol: 'SOL' }
const fraction = () => ({
  projectName: 'Solar Park',
  amount: '12.5',
  tokenAddress: newAddress(),
  receivedAt: '2026-01-05T09:00:00Z',
})

/** Each PUT once: where it goes and what it says. */
const puts: [string, () => Promise<[path: string, body: object, target: string]>][] = [
  ['a member', async () => ['/members/put-1', { email: 'Put@example.com', legalFirstName: 'Ana' }, 'user']],
  ['a wallet', async () => [`/members/${(await makeMember(server)).id}/wallets/${newAddress()}`, {}, 'user']],
  ['a KYC step', async () => [`/members/${(await makeMember(server)).id}/kyc/1`, { step2 }, 'user']],
  ['an order', async () => ['/orders/PUT-1', buildOrderBody((await makeMember(server)).id), 'order']],
  ['a transaction', async () => [`/members/${(await makeMember(server)).id}/transactions/t-put`, transaction, 'user']],
  ['a fraction', async () => [`/members/${(await makeMember(server)).id}/fractions/f-put`, fraction(), 'user']],
  ['a token', async () => [`/tokens/earning/${newAddress()}`, token, 'token']],
]

test.each(puts)(
  '%s sent eight times at once is created once, and sent again is unchanged (product 10.2)',
  async (_, make) => {
    const [path, body, target] = await make()
    const replies = await Promise.all(Array.from({ length: 8 }, () => call('PUT', path, body)))
    expect(replies.map((reply) => reply.statusCode)).toEqual(Array(8).fill(200))
    const outcomes = replies.map((reply) => reply.json().outcome).toSorted()
    expect(outcomes).toEqual(['created', ...Array(7).fill('unchanged')])
    const stands = await readAllTables(server)
    const again = await call('PUT', path, body)
    expect(again.json()).toMatchObject({ outcome: 'unchanged' })
    expect(await readAllTables(server)).toEqual(stands)
    const rows = await listCallRecords(server, ...replies, again)
    expect(rows).toHaveLength(9)
    expect(rows[0]).toMatchObject({
      actor_name: 'platform:PLATFORM_API_KEY',
      target_type: target,
      target_id: expect.stringMatching(/./),
      details: { call: expect.stringMatching(/^PUT \/(members\/\{id\}|orders\/|tokens\/)/), outcome: 'created' },
    })
  },
)

test('a platform change is visible at once, and an absent field changes nothing (product 10.2)', async () => {
  await call('PUT', '/members/seen-1', { email: 'seen@example.com', legalFirstName: 'Ana', legalPhone: '+351 9' })
  expect((await console_('GET', '/api/users?search=seen@example.com')).json().users).toMatchObject([
    { id: 'seen-1', legalFirstName: 'Ana' },
  ])
  const changed = await call('PUT', '/members/seen-1', { email: 'seen@example.com', legalLastName: 'Lima' })
  expect(changed.json()).toMatchObject({ outcome: 'updated' })
  expect((await console_('GET', '/api/users?search=ana lima')).json().users).toMatchObject([
    { id: 'seen-1', legalPhone: '+351 9' },
  ])
  await call('PUT', '/orders/SEEN-1', buildOrderBody('seen-1'))
  expect((await console_('GET', '/api/orders?search=SEEN-1')).json()).toMatchObject({
    total: 1,
    orders: [{ orderNumber: 'SEEN-1', userEmail: 'seen@example.com', status: 'waiting_payment' }],
  })
  const audits = await server.sql(
    `SELECT actor_name, audit_details(id, details) AS details FROM audit_log WHERE action = 'update_member'`,
  )
  expect(audits).toEqual([
    {
      actor_name: 'platform:PLATFORM_API_KEY',
      details: { before: { legalLastName: null }, after: { legalLastName: 'Lima' } },
    },
  ])
})

test('open consoles hear which lists a platform call changed (product 3.4)', async () => {
  // What earlier calls announce is heard before.
  await waitForAnnouncements(server.services.database)
  const client = await server.services.database.pool.connect()
  const heard: string[] = []
  client.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await client.query('LISTEN changes')
  await call('PUT', '/members/live-1', { email: 'live@example.com' })
  await waitForAnnouncements(server.services.database)
  await call('PUT', '/members/live-1', { email: 'live@example.com' })
  const hear = () => client.query('SELECT 1').then(() => heard)
  await expect.poll(hear).toEqual(['logs,users,analytics,orders,kyc', 'logs'])
  await client.query('UNLISTEN *')
  client.release(true)
})

test('GET answers a member as the console sees it, and which attempt may come next (product 10.2)', async () => {
  await call('PUT', '/members/get-1', { email: 'get@example.com', createdAt: '2026-01-05T10:00:00+01:00' })
  const read = async () => (await call('GET', '/members/get-1')).json()
  expect(await read()).toEqual({
    id: 'get-1',
    email: 'get@example.com',
    legalFirstName: null,
    legalLastName: null,
    legalPhone: null,
    membershipId: null,
    banned: false,
    bannedReason: null,
    kyc: {
      status: null,
      currentStep: 1,
      rejectionReason: null,
      final: false,
      decidedAt: null,
      nextAttempt: 1,
      attempts: [],
      draft: null,
    },
    wallets: [],
    walletCount: 0,
    erasedAt: null,
    createdAt: '2026-01-05T09:00:00.000Z',
    version: 1,
  })
  const address = newAddress()
  await call('PUT', `/members/get-1/wallets/${address}`, {})
  await call('PUT', '/members/get-1/kyc/1', { step2 })
  expect(await read()).toMatchObject({ wallets: [address], kyc: { currentStep: 2, nextAttempt: 1, attempts: [] } })
  await call('PUT', '/members/get-1/kyc/1', { submit: true, submittedAt: '2026-02-01T09:00:00Z' })
  const submitted = { attempt: 1, result: 'under_review', submittedAt: '2026-02-01T09:00:00.000Z' }
  expect((await read()).kyc).toMatchObject({ status: 'under_review', nextAttempt: 2, attempts: [submitted] })
  await console_('POST', '/api/users/get-1/kyc/reject', { rejectionReason: 'Blurred' })
  await console_('POST', '/api/users/get-1/ban', { reason: 'Fraud' })
  expect(await read()).toMatchObject({
    banned: true,
    bannedReason: 'Fraud',
    kyc: { status: 'rejected', rejectionReason: 'Blurred', nextAttempt: 2, attempts: [{ result: 'rejected' }] },
  })
  await call('PUT', '/members/get-1/kyc/2', { step2, submit: true })
  await console_('POST', '/api/users/get-1/kyc/approve')
  expect(await read()).toMatchObject({
    membershipId: expect.stringMatching(/^MB-\d{8}$/),
    kyc: { status: 'approved', nextAttempt: null },
  })
  const unknown = await call('GET', '/members/nobody')
  expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'not_found'])
})

test('GET answers an order and its state, by its number (product 10.2)', async () => {
  const { id: member } = await makeMember(server)
  const order = await makeOrder(server, member)
  expect((await call('GET', `/orders/${order.orderNumber}`)).json()).toEqual({
    orderNumber: order.orderNumber,
    memberId: member,
    projectId: 'p-1',
    projectName: 'Solar Park',
    investmentAmount: '1500.50',
    currency: 'EUR',
    status: 'waiting_payment',
    notes: null,
    expiresAt: order.expiresAt,
    createdAt: order.createdAt,
    paidAt: null,
    completedAt: null,
    ...paymentDetails,
    paymentReference: expect.stringMatching(/^RF\d\dORD\d+$/),
    received: '0.00',
    // The IBAN of the tests belongs to no bank.
    epcPayload: null,
    statusChangedAt: null,
    version: 1,
  })
  expect((await call('GET', '/orders/NONE')).json()).toMatchObject({ message: 'Order NONE not found' })
})

test('a read and a refused call have an audit row of their own (product 6.9)', async () => {
  const { id } = await makeMember(server)
  const replies = [
    await call('GET', `/members/${id}`),
    await call('PUT', `/members/${id}`, { email: 'no e-mail', emial: 'a', 'not a name': 'b', '\0': 'c' }),
    await call('PUT', '/orders/AUDIT-1', buildOrderBody('nobody')),
    await call('PUT', '/members/%00', { email: 'a@example.com' }),
    await call('POST', '/import', {}),
    await call('PUT', `/tokens/earning/${newAddress()}`, { projectName: '' }),
  ]
  await expect.poll(() => listCallRecords(server, ...replies)).toHaveLength(6)
  const rows = await listCallRecords(server, ...replies)
  expect(rows.map(({ target_type, target_id, details }) => [target_type, target_id, details])).toEqual(
    expect.arrayContaining([
      ['user', id, { call: 'GET /members/{id}', outcome: 'read' }],
      ['user', id, { call: 'PUT /members/{id}', status: 400, code: 'invalid', fields: ['email', 'emial'] }],
      ['order', null, { call: 'PUT /orders/{orderNumber}', orderNumber: 'AUDIT-1', status: 404, code: 'not_found' }],
      [null, null, { call: 'PUT /members/{id}', status: 400, code: 'invalid', fields: ['id'] }],
      [null, null, { call: 'POST /import', status: 415, code: 'unsupported_media_type' }],
      ['token', null, expect.objectContaining({ kind: 'earning', status: 400, code: 'invalid' })],
    ]),
  )
})

test('every conflict says what stands in the way, and nothing is changed (product 10.2)', async () => {
  const { id: ana } = await makeMember(server, { email: 'ana@example.com' })
  const { id: ben } = await makeMember(server)
  const { id: approved } = await makeMember(server, { kycStatus: 'approved' })
  const foreignDocument = (await makeDocument(server, ana)).key
  const address = newAddress()
  await call('PUT', `/members/${ana}/wallets/${address}`, {})
  await call('PUT', `/members/${ana}/kyc/1`, { step2, submit: true })
  await call('PUT', `/members/${ana}/kyc/2`, { step2 })
  await call('PUT', `/members/${ben}/kyc/1`, { step2, submit: true })
  await call('PUT', `/members/${ana}/transactions/t-hers`, transaction)
  const paid = await makeOrder(server, ana, { status: 'paid', paidAt: '2026-01-05T09:00:00.000Z' })
  const hers = await makeOrder(server, ana)
  const step3 = { documentType: 'passport', frontDocumentPath: foreignDocument }

  const refused: [path: string, body: object, code: ErrorCode, message: string][] = [
    [`/members/${ben}`, { email: 'ANA@example.com' }, 'email_taken', 'email: another member already has this e-mail'],
    [
      `/members/${ana}/kyc/1`,
      { step2: { ...step2, nationality: 'Spain' } },
      'attempt_superseded',
      "attempt: 1 is lower than the member's latest attempt, 2",
    ],
    [`/members/${approved}/kyc/1`, { step2 }, 'member_approved', 'attempt: the member is approved'],
    [
      `/members/${ben}/kyc/1`,
      { step2: { ...step2, nationality: 'Spain' } },
      'attempt_submitted',
      'attempt 1 was submitted',
    ],
    [`/members/${ben}/kyc/2`, { step3 }, 'invalid', 'step3.frontDocumentPath: names no front document of this member'],
    ['/members/nobody/kyc/1', { step2 }, 'not_found', 'memberId: there is no member nobody'],
    [`/members/${ben}/wallets/${address}`, {}, 'wallet_taken', 'address: this wallet belongs to another member'],
    [`/members/nobody/wallets/${newAddress()}`, {}, 'not_found', 'there is no member nobody'],
    ['/orders/NEW-1', buildOrderBody('nobody'), 'not_found', 'memberId: there is no member nobody'],
    [`/orders/${paid.orderNumber}`, buildOrderBody(ana, { iban: 'XX11' }), 'order_state', 'This order is paid'],
    [`/orders/${hers.orderNumber}`, buildOrderBody(ben), 'id_taken', 'memberId: this order belongs to another member'],
    [`/members/${ben}/transactions/t-hers`, transaction, 'id_taken', 'id: this transaction belongs to another member'],
    ['/members/nobody/fractions/f-1', fraction(), 'not_found', 'there is no member nobody'],
  ]
  const stands = await readAllTables(server)
  for (const [path, body, code, message] of refused) {
    const reply = await call('PUT', path, body)
    expect(reply.json(), path).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(reply.statusCode, path).toBe(errorStatuses[code])
  }
  expect(await readAllTables(server)).toEqual(stands)
  const same = buildOrderBody(ana, { investmentAmount: '1500.50', expiresAt: paid.expiresAt })
  expect((await call('PUT', `/orders/${paid.orderNumber}`, same)).json()).toMatchObject({ outcome: 'unchanged' })
})

test.each([
  ['jos\u00e9@example.com', 'jose\u0301@example.com'],
  ['ΣΑΣ@example.com', 'σας@example.com'],
  ['\u0130rem@example.com', 'i\u0307rem@example.com'],
])('%s and %s are one e-mail (product 6.2)', async (first, second) => {
  const [one, other] = [(await makeMember(server)).id, (await makeMember(server)).id]
  expect((await call('PUT', `/members/${one}`, { email: first })).statusCode).toBe(200)
  expect((await call('PUT', `/members/${other}`, { email: second })).json()).toMatchObject({ code: 'email_taken' })
})

test('one of two members that take the same e-mail at once gets it (product 10.2)', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, async () => (await makeMember(server)).id))
  const moved = await Promise.all(ids.map((id) => call('PUT', `/members/${id}`, { email: 'One@example.com' })))
  expect(moved.map((reply) => reply.statusCode).toSorted()).toEqual([200, ...Array(7).fill(409)])
  const born = await Promise.all(
    Array.from({ length: 8 }, (_, n) => call('PUT', `/members/twin-${n}`, { email: 'Twin@example.com' })),
  )
  expect(born.map((reply) => reply.statusCode).toSorted()).toEqual([200, ...Array(7).fill(409)])
})
