import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { readCommand } from '#server/cli/admin-commands.ts'
import { describeFault, verifyAndReport } from '#server/features/audit-chain/service.ts'
import { createKey } from '#server/features/keys/keys.ts'
import { importPayments } from '#test/support/bank-payments.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder, makeTransaction, newAddress } from '#test/support/make.ts'
import { buildOrderBody, platformBase } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { settle } from '#test/support/settle.ts'
import { createFileFixtures } from '#test/support/stored-files.ts'
import { createTraceSearch } from '#test/support/trace-search.ts'

const server = await startServer()
const ada = server.as('ada')
const files = createFileFixtures(server)
await createBankCaller(server).addAccount()
const { key } = await createKey(server.system, {
  name: 'crm',
  scopes: [
    'members.erase',
    'members.read',
    'members.write',
    'wallets.write',
    'documents.write',
    'kyc.write',
    'orders.write',
    'orders.complete',
    'transactions.write',
    'imports.write',
  ],
})
const platform = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown, type = 'application/json') =>
  server.app.inject({
    method,
    url: platformBase + path,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
const erase = (id: string) => platform('DELETE', `/members/${id}`)
async function expectOk(reply: Promise<LightMyRequestResponse>) {
  const done = await reply
  expect(done.statusCode, done.body).toBe(200)
  return done.json()
}

const person = {
  email: 'anabela.limaquist@post.example',
  legalFirstName: 'Anabela',
  legalLastName: 'Limaquist',
  legalPhone: '+351 912 777 888',
}
/** Seals every row, also while tests of other files write. */
async function seal() {
  await settle(server)
  await runJob(server.services, 'seal-audit')
}

/** What tells the person, as it is anywhere: in texts, folded for search, or as bytes. */
const traces = ['anabela', 'limaquist', '777 888', '351912777888', '1991-03-17', 'portuguesia', 'LT601010012345678901']

const { findRows, findFiles } = createTraceSearch(server)

/** A member with a history: changed names, pictures, a decided case, a lifted ban, an order paid by the bank. */
async function makeHistory(id: string) {
  await expectOk(platform('PUT', `/members/${id}`, { ...person, legalFirstName: 'Anabela Maria' }))
  await expectOk(platform('PUT', `/members/${id}`, person))
  await expectOk(platform('PUT', `/members/${id}/wallets/${newAddress()}`, {}))
  const front = await files.upload(id, 'front')
  const selfie = await files.upload(id, 'selfie')
  const step2 = { dateOfBirth: '1991-03-17', nationality: 'Portuguesia', countryOfResidence: 'Spain' }
  const steps = { step2, step3: { documentType: 'passport', frontDocumentPath: front }, step4: { selfiePath: selfie } }
  await expectOk(platform('PUT', `/members/${id}/kyc/1`, { ...steps, submit: true }))
  await expectOk(ada('POST', `/api/users/${id}/kyc/approve`, { adminNotes: 'Anabela called' }))
  await expectOk(ada('POST', `/api/users/${id}/ban`, { reason: 'Limaquist is on a list' }))
  await expectOk(ada('POST', `/api/users/${id}/unban`))
  expect((await ada('GET', `/api/exports/users?search=${encodeURIComponent(person.email)}`)).statusCode).toBe(200)
  await expectOk(platform('PUT', `/orders/ORD-${id}`, buildOrderBody(id, { investmentAmount: '70.00' })))
  const [order] = await server.sql<{ id: string }>('SELECT id::text FROM orders WHERE order_number = $1', [`ORD-${id}`])
  const [line] = await importPayments(server, {
    amount: '70.00',
    payer: 'Anabela Limaquist',
    iban: 'LT601010012345678901',
    text: `ORD-${id} Limaquist`,
  })
  await expectOk(
    ada('POST', `/api/bank/lines/${line}/allocations`, {
      allocations: [{ purpose: 'order', orderId: order!.id, amount: '70.00' }],
      reason: 'Paid',
    }),
  )
  return { front, selfie, line: line! }
}

test('a key needs the scope for it (product 10.1)', async () => {
  const { id } = await makeMember(server)
  const { key: other } = await createKey(server.system, { name: 'shop' })
  const headers = { authorization: `Bearer ${other}` }
  const reply = await server.as(null)('DELETE', `${platformBase}/members/${id}`, undefined, headers)
  expect(reply.json()).toMatchObject({ code: 'scope_missing', details: { scope: 'members.erase' } })
})

test('after an erasure nothing of the person is in a table, a file or an export (product 7.13)', async () => {
  const id = 'm-erased'
  const { front, line } = await makeHistory(id)
  expect((await findRows(traces)).length).toBeGreaterThan(10)
  await seal()
  const early = await erase(id)
  expect(early.json()).toMatchObject({
    code: 'money_open',
    message: 'The member cannot be erased while money is open: 1 order that is waiting or paid',
  })
  expect((await findRows(traces)).length).toBeGreaterThan(10)
  await expectOk(platform('POST', `/orders/ORD-${id}/complete`))
  const before = (await files.list()).length

  expect(await expectOk(erase(id))).toEqual({ outcome: 'erased', erasedAt: expect.any(String) })

  expect(await findRows(traces)).toEqual([])
  expect(await findFiles(traces)).toEqual([])
  expect((await files.list()).length).toBe(before - 2)
  for (const list of ['users', 'orders', 'kyc-verifications', 'bank-lines?payers=shown'])
    expect((await ada('GET', `/api/exports/${list}`)).body.toLowerCase()).not.toMatch(/anabela|limaquist|lt6010/)
  const gone = await ada('POST', '/api/documents/token', { userId: id, documentPath: front })
  expect(gone.statusCode).toBe(404)
  // What was decided and paid stays, under the id.
  expect(await server.sql('SELECT status, received, member_id FROM orders WHERE member_id = $1', [id])).toEqual([
    { status: 'completed', received: '70.00', member_id: id },
  ])
  expect(
    await server.sql('SELECT payer_name, payer_account, amount, state FROM bank_lines WHERE id = $1', [line]),
  ).toEqual([{ payer_name: null, payer_account: null, amount: '70.00', state: 'settled' }])
  expect((await ada('GET', `/api/bank/lines/${line}`)).statusCode).toBe(200)
  const actions = await server.sql(
    "SELECT action FROM audit_log WHERE target_id = $1 AND action <> 'platform_call' ORDER BY id",
    [id],
  )
  expect(actions.map(({ action }) => action)).toEqual([
    'update_member',
    'approve_kyc',
    'ban_user',
    'unban_user',
    'erase_member',
  ])
})

test('the chain holds after an erasure, and shows a detail that was changed', async () => {
  await seal()
  expect((await verifyAndReport(server.system)).fault).toBeNull()
  const { id } = await makeMember(server)
  await expectOk(ada('POST', `/api/users/${id}/ban`, { reason: 'Fraud' }))
  await seal()
  const [row] = await server.sql<{ audit_id: string }>(
    'SELECT audit_id::text FROM audit_personal WHERE member_id = $1',
    [id],
  )
  const change = (reason: string) =>
    server.sql(
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE audit_personal SET details = details || '{"reason": "${reason}"}' WHERE audit_id = ${row!.audit_id}; COMMIT`,
    )
  await change('Nothing')
  const { fault } = await verifyAndReport(server.system)
  expect(fault).toMatchObject({ kind: 'changed', auditId: row!.audit_id })
  expect(describeFault(fault!)).toContain('was changed')
  await change('Fraud')
  expect((await verifyAndReport(server.system)).fault).toBeNull()
})

test('the server can neither change nor forge personal details of audit rows', async () => {
  await expect(server.services.database.pool.query("UPDATE audit_personal SET details = '{}'")).rejects.toThrow(
    /permission denied/,
  )
})

test('the console shows an erased member by the id, and offers nothing', async () => {
  const { user } = await expectOk(ada('GET', '/api/users/m-erased'))
  expect(user).toMatchObject({
    legalFirstName: 'Erased member',
    legalLastName: 'm-erased',
    email: expect.stringMatching(/^[0-9a-f]{24}@erased\.invalid$/),
    legalPhone: null,
    erasedAt: expect.any(String),
    kycStatus: 'approved',
  })
  const found = await expectOk(ada('GET', '/api/users?search=erased%20member'))
  expect(found.users.map((each: { id: string }) => each.id)).toEqual(['m-erased'])
  for (const [path, body] of [
    ['ban', { reason: 'x' }],
    ['kyc/reject', { rejectionReason: 'x' }],
  ] as const)
    expect((await ada('POST', `/api/users/m-erased/${path}`, body)).json(), path).toMatchObject({
      code: expect.stringMatching(/member_erased|member_approved/),
    })
  const logs = await expectOk(ada('GET', '/api/admin/logs?action=ban_user&limit=100'))
  const [ban] = logs.logs.filter(
    (log: { targetId: string; action: string }) => log.targetId === 'm-erased' && log.action === 'ban_user',
  )
  expect(ban.details).toEqual({ before: { kycBanned: false }, after: { kycBanned: true } })
})

test('everything new about an erased member is refused (product 10.2)', async () => {
  const id = 'm-erased'
  const calls: [string, unknown][] = [
    [`/members/${id}`, person],
    [`/members/${id}/wallets/${newAddress()}`, {}],
    [`/members/${id}/kyc/2`, { step2: { dateOfBirth: '1991-03-17', nationality: 'PT', countryOfResidence: 'ES' } }],
    [
      `/members/${id}/transactions/t-new`,
      { type: 'deposit', amount: '1.00', status: 'completed', createdAt: '2026-01-01T00:00:00Z' },
    ],
    [`/orders/ORD-new`, buildOrderBody(id)],
  ]
  for (const [path, body] of calls) {
    const reply = await platform('PUT', path, body)
    expect(reply.json(), path).toEqual({
      code: 'member_erased',
      message: `The member ${id} was erased; nothing new is taken of this id`,
    })
    expect(reply.statusCode).toBe(409)
  }
  const picture = await server.app.inject({
    method: 'PUT',
    url: `${platformBase}/members/${id}/documents/front`,
    payload: Buffer.from('not looked at'),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
  })
  expect(picture.json().code).toBe('member_erased')
  const line = JSON.stringify({ type: 'member', id, ...person })
  const imported = await expectOk(platform('POST', '/import', line, 'application/x-ndjson'))
  expect(imported.errors).toMatchObject([{ code: 'member_erased' }])
  expect(await findRows(traces)).toEqual([])
})

test('the same erasure again changes nothing, and an unknown member is 404', async () => {
  const events = () =>
    server.sql("SELECT payload FROM platform_events WHERE type = 'member.erased' AND entity_id = 'm-erased'")
  const again = await expectOk(erase('m-erased'))
  expect(again).toEqual({ outcome: 'unchanged', erasedAt: expect.any(String) })
  expect(await events()).toEqual([{ payload: { memberId: 'm-erased', membershipId: expect.stringMatching(/./) } }])
  expect((await erase('m-nobody')).json()).toMatchObject({ code: 'not_found' })
  expect(await expectOk(platform('GET', '/members/m-erased'))).toMatchObject({ erasedAt: again.erasedAt, wallets: [] })
})

test.each([
  ['1 order that is waiting or paid', (id: string) => makeOrder(server, id)],
  ['1 pending transaction', (id: string) => makeTransaction(server, id, { status: 'pending' })],
])('a member with %s is not erased', async (what, make) => {
  const { id, email } = await makeMember(server)
  await make(id)
  const reply = await erase(id)
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    `The member cannot be erased while money is open: ${what}`,
  ])
  expect(await server.sql('SELECT email, erased_at FROM members WHERE id = $1', [id])).toEqual([
    { email, erased_at: null },
  ])
})

test('a waiting case leaves the queue, and a shared picture stays for the other member', async () => {
  const [one, other] = [await makeMember(server), await makeMember(server)]
  const front = await files.uploadFile(one.id)
  await server.sql(
    `INSERT INTO documents (key, member_id, kind, upload_hash, stored_hash, byte_size, width, height)
     SELECT 'doc_shared', $1, kind, upload_hash, stored_hash, byte_size, width, height FROM documents WHERE key = $2`,
    [other.id, front.documentPath],
  )
  const step3 = { documentType: 'passport', frontDocumentPath: front.documentPath }
  await expectOk(platform('PUT', `/members/${one.id}/kyc/1`, { step3, submit: true }))
  const waiting = async () => (await expectOk(ada('GET', '/api/kyc/verifications?status=pending'))).total
  const before = await waiting()
  await expectOk(erase(one.id))
  expect(await waiting()).toBe(before - 1)
  expect(await server.sql('SELECT kyc_status FROM members WHERE id = $1', [one.id])).toEqual([{ kyc_status: null }])
  expect((await files.view(other.id, 'doc_shared')).statusCode).toBe(200)
  await expectOk(erase(other.id))
  expect(await files.list()).not.toContain(front.path)
})

test('an order that comes while its member is erased either refuses that or is refused', async () => {
  for (let turn = 0; turn < 8; turn++) {
    const { id } = await makeMember(server)
    const [erased, ordered] = await Promise.all([erase(id), platform('PUT', `/orders/RACE-${id}`, buildOrderBody(id))])
    expect([erased.statusCode, ordered.statusCode].toSorted(), erased.body + ordered.body).toEqual([200, 409])
  }
})

test('the command wants to be told that it is meant (product 13.1)', () => {
  expect(() => readCommand(['erase', 'm-1'])).toThrow('This cannot be undone. To erase the member m-1: erase m-1 --yes')
  expect(readCommand(['erase', 'm-1', '--yes'])).toBeTypeOf('function')
})

test('the command erases as the call does', async () => {
  const { id } = await makeMember(server)
  expect(await readCommand(['erase', id, '--yes'])!(server.system)).toBe(`The member ${id} is erased.`)
  expect(await readCommand(['erase', id, '--yes'])!(server.system)).toMatch(`The member ${id} was erased already, at `)
})
