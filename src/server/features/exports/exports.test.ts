import { expect, test } from 'vitest'
import { exportPaths, type ExportName } from '#contract/exports.ts'
import { makeAttempt, makeChainTransaction, makeMember, makeOrder, makeWallet } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const get = (url: string) => server.as('ada')('GET', url)
const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 9, minute)).toISOString()

/** The file's lines, head first. */
async function readLines(name: ExportName, query = '') {
  const reply = await get(`${exportPaths[name]}${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.body.startsWith('\uFEFF')).toBe(true)
  expect(reply.body.endsWith('\r\n')).toBe(true)
  return reply.body.slice(1, -2).split('\r\n')
}

const audited = async () =>
  (
    await server.sql<{ details: unknown; actor_name: string }>(
      `SELECT audit_details(id, details) AS details, actor_name FROM audit_log WHERE action = 'export_list' ORDER BY id DESC LIMIT 1`,
    )
  )[0]

const ana = await makeMember(server, {
  id: 'x-ana',
  email: 'ana@example.com',
  legalFirstName: 'Ana, "A"',
  legalLastName: 'Lima',
  kycStatus: 'approved',
  membershipId: 'MB-00000018',
  createdAt: at(1),
})
await makeMember(server, {
  id: 'x-eve',
  email: '=eve@example.com',
  banned: true,
  bannedReason: '+Fraud',
  createdAt: at(2),
})
await makeMember(server, { id: 'x-rtl', email: 'rtl@example.com', legalFirstName: 'ليلى', createdAt: at(3) })

test('users are exported newest first, with formulas made harmless (product 6.9)', async () => {
  expect(await readLines('users')).toEqual([
    'User ID,Name,Email,Membership ID,KYC Status,Status,Ban Reason,Joined',
    `x-rtl,ليلى,rtl@example.com,,Not started,Active,,${at(3)}`,
    `x-eve,'=eve@example.com,'=eve@example.com,,Not started,Banned,'+Fraud,${at(2)}`,
    `x-ana,"Ana, ""A"" Lima",ana@example.com,MB-00000018,Verified,Active,,${at(1)}`,
  ])
  const today = new Date().toISOString().slice(0, 10)
  const named = (await get('/api/exports/users')).headers['content-disposition']
  expect(named).toBe(`attachment; filename="users-${today}.csv"`)
})

test('filters apply to an export, and its page and limit do not (product 4.3)', async () => {
  expect(await readLines('users', '?kycBanned=true&page=7&limit=1&total=exact')).toHaveLength(2)
  expect(await audited()).toEqual({
    actor_name: 'ada',
    details: { list: 'users', filters: { kycBanned: 'true' }, rows: 1 },
  })
  expect(await readLines('users', '?search=%20ana%20&kycStatus=completed')).toHaveLength(2)
  expect(await readLines('users', '?search=nobody-at-all')).toEqual([
    'User ID,Name,Email,Membership ID,KYC Status,Status,Ban Reason,Joined',
  ])
  expect(await audited()).toMatchObject({ details: { rows: 0, filters: { search: 'nobody-at-all' } } })
  for (const query of ['kycBanned=maybe', 'search=a&search=b', 'search=%00', `search=${'x'.repeat(201)}`]) {
    const refused = await get(`/api/exports/users?${query}`)
    expect(refused.statusCode, query).toBe(400)
    expect(refused.json().message).toMatch(/^(kycBanned|search): /)
  }
})

test('chosen rows are exported as the whole list is, and no others (product 4.8)', async () => {
  const post = (call: ReturnType<typeof server.as>, body: unknown) => call('POST', '/api/exports', body)
  const reply = await post(server.as('ada'), { list: 'users', ids: ['x-ana', 'x-rtl'] })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = reply.body.trim().split('\r\n')
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['x-rtl', 'x-ana'])
  expect(await audited()).toEqual({ actor_name: 'ada', details: { list: 'users', filters: { chosen: 2 }, rows: 2 } })
  expect(await server.sql(`SELECT rows FROM data_access WHERE kind = 'export' ORDER BY id DESC LIMIT 1`)).toEqual([
    { rows: 2 },
  ])
  const wrong = [{ ids: [] }, { ids: ['1; x'], list: 'orders' }, { list: 'adminLogs', ids: ['1'] }]
  for (const body of wrong)
    expect((await post(server.as('ada'), { list: 'users', ...body })).json()).toMatchObject({ code: 'invalid' })
  await server.addOperator('rex', 'reviewer')
  await server.addOperator('fay', 'finance')
  expect((await post(server.as('rex'), { list: 'users', ids: ['x-ana'] })).statusCode).toBe(403)
  expect((await post(server.as('fay'), { list: 'messages', ids: ['1'] })).json()).toMatchObject({ code: 'forbidden' })
})

test('orders are exported with their amounts to the last digit (product 6.1)', async () => {
  const [due, made] = [at(50), at(10)]
  await makeOrder(server, ana.id, {
    orderNumber: 'X-1',
    investmentAmount: '999999999999999.10',
    expiresAt: due,
    createdAt: made,
  })
  await makeOrder(server, ana.id, { orderNumber: 'X-2', status: 'cancelled', expiresAt: due, createdAt: at(11) })
  const head =
    'Order Number,User ID,Name,Email,Project,Project ID,Investment,Received,Currency,Payment Reference,Status,Expires,Created,Paid At,Paid Via,Completed At,Notes,User Status,Ban Reason'
  const first = `X-1,x-ana,"Ana, ""A"" Lima",ana@example.com,Solar Park,p-1,999999999999999.10,0.00,EUR,RF88X1,Waiting Payment,${due},${made},,,,,Active,`
  expect(await readLines('orders', '?status=waiting_payment')).toEqual([head, first])
  expect((await readLines('orders')).map((line) => line.slice(0, 3))).toEqual(['Ord', 'X-2', 'X-1'])
})

test('each kind of token is exported by itself (product 4.6, 5.7)', async () => {
  const token = { projectName: '@Home', tokenSymbol: 'HOM', contractAddress: `0x${'1'.repeat(40)}`, decimals: 6 }
  await server.as('ada')('POST', '/api/tokens/earning', { ...token, projectLink: 'https://home.example' })
  const [head, line, ...none] = await readLines('earningTokens')
  expect(head).toBe('Logo,Project,Website,Symbol,Decimals,Contract Address,Status,Created')
  expect(line).toMatch(/^🪙,'@Home,https:\/\/home.example\/,HOM,6,0x1{40},Active,\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(none).toEqual([])
  expect(await readLines('fractionsTokens')).toEqual([head])
})

test('hashes and addresses are exported whole, amounts to the last digit (product 4.6, 5.8)', async () => {
  const wallet = await makeWallet(server, ana.id)
  const amount = '123456789012345678901234567890.000000000000000001'
  const made = await makeChainTransaction(server, wallet.address, { amount, createdAt: at(20) })
  await makeChainTransaction(server, `0x${'9'.repeat(40)}`, { status: 'failed', tokenSymbol: null, createdAt: at(21) })
  expect(await readLines('chainTransactions', '?status=completed')).toEqual([
    'Hash,Log Index,Block,Type,Amount,Token,Token Address,Status,Wallet,User ID,Name,Email,Counterparty,Counterparty User ID,Counterparty Name,Counterparty Label,Date',
    expect.stringContaining(
      `${made.transactionHash},0,,Deposit,${amount},ABC,${made.tokenAddress},Completed,${wallet.address},x-ana,`,
    ),
  ])
  expect(await readLines('chainTransactions')).toHaveLength(3)
})

test('submissions, verifications and every step are exported (product 4.6, 5.9)', async () => {
  await makeAttempt(server, ana.id, { attempt: 1, at: at(30) })
  const who = 'x-ana,"Ana, ""A"" Lima",ana@example.com,1'
  const heads = 'User ID,Name,Email,Attempt'
  const expected = {
    submissions: [
      'Result,Processing,Case id,Submitted,Rejection Reason',
      `Under Review,Not yet,case-x-ana-1,${at(30)},`,
    ],
    verifications: [
      'Status,KYC Score,Document Type,Nationality,Submitted,Decided By,Decided At,Rejection Reason',
      `Pending,,passport,PT,${at(30)},,,`,
    ],
    step2: ['Date of birth,Nationality,Country of residence,Status,Submitted', `1991-03-14,PT,ES,Submitted,${at(30)}`],
    step3: ['Document type,Front,Back,Status,Submitted', `passport,x-ana-front-1,x-ana-back-1,Submitted,${at(30)}`],
    step4: ['Selfie,Status,Submitted', `x-ana-selfie-1,Submitted,${at(30)}`],
  } as const
  for (const [name, [columns, cells]] of Object.entries(expected)) {
    const lines = [`${heads},${columns},User Status,Ban Reason`, `${who},${cells},Active,`]
    expect(await readLines(name as keyof typeof expected)).toEqual(lines)
    expect(await readLines(name as keyof typeof expected, '?search=LIMA&status=approved')).toEqual([lines[0]])
    expect(await readLines(name as keyof typeof expected, '?search=lima')).toEqual(lines)
  }
})

test('attempts are exported with what the provider answered (product 4.6, 5.11)', async () => {
  await server.sql(`WITH sent AS (
      INSERT INTO messages (channel, direction, type, entity_type, entity_id, attempt_number, state)
      VALUES ('kyc', 'out', 'kyc.submitted', 'member', 'x-ana', 1, 'delivered') RETURNING id
    )
    INSERT INTO message_attempts
      (message_id, channel, try_number, success, error_message, http_status, latency_ms, started_by, created_at)
    SELECT id, 'kyc', tries.* FROM sent, (
      VALUES (1, false, 'HTTP 500', 500, 12, 'ada', '${at(31)}'::timestamptz),
        (2, true, null, 200, 7, 'queue', '${at(32)}')) AS tries`)
  expect(await readLines('webhookLogs', '?userId=x-ana')).toEqual([
    'Status,User ID,Attempt,Try,HTTP Status,Latency (ms),Response,Date,Started By,Next Try',
    `Success,x-ana,1,2,200,7,,${at(32)},queue,`,
    `Failed,x-ana,1,1,500,12,HTTP 500,${at(31)},ada,`,
  ])
  expect(await readLines('webhookLogs', '?status=failed&userId=x-eve')).toHaveLength(1)
})

test('messages out and in are exported with how they were answered (product 10.2)', async () => {
  await server.sql(`DELETE FROM messages`)
  await server.sql(`WITH event AS (
      INSERT INTO platform_events (event_id, type, entity_type, entity_id, version, payload)
      VALUES ('00000000-0000-4000-8000-000000000001', 'order.paid', 'order', 'X-1', 2, '{}') RETURNING *
    )
    INSERT INTO messages
      (channel, direction, endpoint_id, event_row, message_id, type, entity_type, entity_id, state, created_at)
    SELECT 'platform', 'out', 1, id, event_id, type, entity_type, entity_id, 'failed', '${at(33)}' FROM event`)
  await server.sql(`INSERT INTO messages (channel, direction, source, message_id,
      signature, type, entity_type, entity_id, attempt_number, state, note, http_status, latency_ms, created_at)
    VALUES ('kyc', 'in', 'standard', '=msg', 'stale', 'kyc.result', 'member', 'x-ana', 1, 'refused', 'Too old', 401, 4, '${at(34)}')`)
  const head =
    'Direction,Endpoint,Message,Message ID,Entity,Entity ID,Attempt,State,Signature,Tries,HTTP Status,Latency (ms),Response,Last Tried,Next Try,Created'
  const refused = `Received,,kyc.result,'=msg,member,x-ana,1,Refused,Stale,1,401,4,Too old,${at(34)},,${at(34)}`
  const failed = `Sent,Platform,order.paid,00000000-0000-4000-8000-000000000001,order,X-1,,Given up,,0,,,,,,${at(33)}`
  expect(await readLines('messages')).toEqual([head, refused, failed])
  expect(await readLines('messages', '?kind=event&state=failed')).toEqual([head, failed])
  expect(await readLines('messages', '?endpoint=1')).toEqual([head, failed])
  expect(await readLines('messages', '?search=x-ana')).toEqual([head, refused])
})

test('files say who decided and why, when an order was paid, and who resolved an event', async () => {
  await makeOrder(server, ana.id, {
    orderNumber: 'X-3',
    status: 'completed',
    paidVia: 'hand',
    paidAt: at(60),
    completedAt: at(61),
    notes: 'Ref 7',
  })
  expect((await readLines('orders', '?status=completed')).at(-1)).toMatch(`,${at(60)},By hand,${at(61)},Ref 7,Active,`)
  const { id } = await makeMember(server, {
    kycStatus: 'under_review',
    kycSubmissionCount: 1,
    legalFirstName: 'Decided',
  })
  await makeAttempt(server, id)
  const [row] = await server.sql<{ id: string }>('SELECT id::text FROM kyc_verifications WHERE member_id = $1', [id])
  const body = { action: 'reject', rejectionReason: 'Blurred' }
  expect((await server.as('ada')('POST', `/api/kyc/verifications/${row!.id}/review`, body)).statusCode).toBe(200)
  expect((await readLines('verifications', '?search=decided')).at(-1)).toMatch(/,ada,2\d{3}-[^,]*Z,Blurred,Active,$/)
  expect((await readLines('submissions', '?search=decided')).at(-1)).toMatch(/,Rejected,Manual,.*Z,Blurred,Active,$/)
  expect((await readLines('adminLogs', '?action=reject_kyc')).at(-1)).toMatch(`reject_kyc,ada,user,${id},Decided,`)
})

test('events and admin actions are exported, details as JSON (product 4.6, 5.12)', async () => {
  await server.sql(`INSERT INTO security_events (severity, event_type, description, ip_address, created_at)
    VALUES ('high', 'sign_in_locked', '=cmd', '192.0.2.7', '${at(40)}'), ('low', 'other', 'x', null, '${at(39)}')`)
  expect(await readLines('securityEvents', `?severity=high&resolved=false`)).toEqual([
    'Severity,Event,Description,IP Address,Date,Resolved By,Resolved At,Resolution Note',
    `High,sign_in_locked,'=cmd,192.0.2.7,${at(40)},,,`,
  ])
  const [head, newest] = await readLines('adminLogs', '?action=export_list')
  expect(head).toBe('Action,Admin,Target,Target ID,Target Name,Details,IP Address,Date')
  expect(newest).toContain('export_list,ada,,,,"{""list"":""securityEvents"",')
})

test('an export of a search has every hit in order (product 4.4)', async () => {
  await server.sql(`INSERT INTO members (id, email, legal_first_name, created_at)
    SELECT 'bulk-' || n, n || '@bulk.example', 'Bulk', timestamptz '2026-01-01' + n * interval '1 second'
    FROM generate_series(1, 4500) n`)
  const lines = await readLines('users', '?search=BULK')
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
    Array.from({ length: 4500 }, (_, index) => `bulk-${4500 - index}`),
  )
  expect(await audited()).toMatchObject({ details: { rows: 4500 } })
})

test('without a session nothing is exported (product 8.5)', async () => {
  const before = await audited()
  for (const path of [...Object.values(exportPaths), '/api/exports'])
    expect((await server.as(null)('GET', path)).statusCode).toBe(401)
  expect(await audited()).toEqual(before)
})
