import { expect, test } from 'vitest'
import { type BulkAction, bulkActions, bulkLimits, mostBulkRequests, readBulkDesign } from '#contract/bulk.ts'
import { runJob } from '#test/support/jobs.ts'
import { createApprovalCaller } from '#test/support/approvals.ts'
import { createBulkCaller } from '#test/support/bulk.ts'
import { makeAttempt, makeMember, makeMembers, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const [ada, vera] = [server.as('ada'), server.as('vera')]
expect((await vera('GET', '/api/account')).statusCode).toBe(200)
const { prepare, begin, finish, run, read, listItems } = createBulkCaller(server, ada)
const { withRule, approve } = createApprovalCaller(server, ada)

const makeIds = async (count: number) => (await makeMembers(server, count, () => ({}))).map(({ id }) => id)
const countBanned = async (ids: string[]) =>
  (await server.sql('SELECT FROM members WHERE banned AND id = ANY($1)', [ids])).length
const readOne = async (text: string, id: string) => (await server.sql(text, [id]))[0]
const insertOne = async (text: string, values: unknown[] = []) =>
  (await server.sql<{ id: string }>(text, values))[0]!.id

interface ActionCase {
  make: () => Promise<string>
  state: (id: string) => Promise<unknown>
  becomes: Record<string, unknown>
  reason?: string
}

async function makeCase() {
  const { id } = await makeMember(server, { kycStatus: 'under_review', kycSubmissionCount: 1 })
  await makeAttempt(server, id)
  return insertOne('SELECT id::text FROM kyc_verifications WHERE member_id = $1', [id])
}
const readCase = (id: string) =>
  readOne(
    `SELECT v.status, v.rejection_reason, m.kyc_status FROM kyc_verifications v JOIN members m ON m.id = v.member_id WHERE v.id = $1`,
    id,
  )
const readMember = (id: string) => readOne('SELECT banned, banned_reason FROM members WHERE id = $1', id)

const makeOpenOrder = async () => (await makeOrder(server, (await makeMember(server)).id)).id
const readOrder = (id: string) => readOne('SELECT status, notes, paid_via FROM orders WHERE id = $1', id)

const cases: Record<BulkAction, ActionCase> = {
  ban_users: {
    make: async () => (await makeMember(server)).id,
    state: readMember,
    becomes: { banned: true, banned_reason: 'As agreed' },
    reason: 'As agreed',
  },
  unban_users: {
    make: async () => (await makeMember(server, { banned: true })).id,
    state: readMember,
    becomes: { banned: false, banned_reason: null },
  },
  approve_cases: { make: makeCase, state: readCase, becomes: { status: 'approved', kyc_status: 'approved' } },
  reject_cases: {
    make: makeCase,
    state: readCase,
    becomes: { status: 'rejected', kyc_status: 'rejected', rejection_reason: 'Blurred' },
    reason: 'Blurred',
  },
  reset_cases: {
    make: makeCase,
    state: readCase,
    becomes: { status: 'reset', kyc_status: 'pending' },
    reason: 'Wrong person',
  },
  mark_orders_paid: {
    make: makeOpenOrder,
    state: readOrder,
    becomes: { status: 'paid', notes: 'As agreed' },
    reason: 'As agreed',
  },
  cancel_orders: {
    make: makeOpenOrder,
    state: readOrder,
    becomes: { status: 'cancelled', notes: 'As agreed' },
    reason: 'As agreed',
  },
  resend_messages: {
    make: () =>
      insertOne(`WITH event AS (
          INSERT INTO platform_events (type, entity_type, entity_id, version, payload)
          VALUES ('member.banned', 'member', gen_random_uuid()::text, 1, '{}') RETURNING *
        )
        INSERT INTO messages (channel, direction, endpoint_id, event_row, type, entity_type, entity_id, state, tries)
        SELECT 'platform', 'out', 1, id, type, entity_type, entity_id, 'failed', 10 FROM event RETURNING id::text`),
    state: (id) => readOne('SELECT state, tries FROM messages WHERE id = $1', id),
    becomes: { state: 'waiting', tries: 0 },
  },
  resolve_events: {
    make: () =>
      insertOne(`INSERT INTO security_events (severity, event_type, description) VALUES ('high', 'sign_in_locked', 'Test')
        RETURNING id::text`),
    state: (id) => readOne('SELECT resolved_by, resolution_note FROM security_events WHERE id = $1', id),
    becomes: { resolved_by: 'ada', resolution_note: 'Looked at' },
    reason: 'Looked at',
  },
}

test.each(bulkActions)('%s does to a row what the single call does', async (action) => {
  const { make, state, becomes, reason } = cases[action]
  const id = await make()
  const before = await state(id)
  const { ready } = await prepare({ action, ids: [id] })
  expect(ready).toBe(1)
  expect(await state(id)).toEqual(before)
  const job = await finish({ action, ids: [id] }, reason)
  expect(job, JSON.stringify(await listItems(job.id))).toMatchObject({ state: 'done', counts: { done: 1 } })
  expect(await state(id)).toMatchObject(becomes)
  const again = await prepare({ action, ids: [id] })
  expect(again.ready, 'not again').toBe(action === 'resend_messages' ? 1 : 0)
})

test.each(bulkActions)('%s needs the permissions of its single call', async (action) => {
  const { permissions } = readBulkDesign(action)
  const id = await cases[action].make()
  const tried = new Map<string, number>()
  for (const role of ['viewer', 'reviewer', 'finance'] as const) {
    await server.addOperator(`${role} for ${action}`, role)
    const reply = await server.as(`${role} for ${action}`)('POST', '/api/bulk', { action, ids: [id] })
    tried.set(role, reply.statusCode)
  }
  const able = permissions.some((each) => ['members.ban', 'kyc.decide'].includes(each))
    ? 'reviewer'
    : permissions.some((each) => each === 'orders.decide')
      ? 'finance'
      : null
  for (const [role, status] of tried) expect(status, role).toBe(role === able ? 200 : 403)
})

test('a reset takes the latest attempt, of a rejected member too, never of an approved', async () => {
  const [rejected, approved, older] = [await makeCase(), await makeCase(), await makeCase()]
  await finish({ action: 'reject_cases', ids: [rejected] }, 'Blurred')
  await finish({ action: 'approve_cases', ids: [approved] })
  const memberId = (await readOne('SELECT member_id FROM kyc_verifications WHERE id = $1', older))![
    'member_id'
  ] as string
  await makeAttempt(server, memberId, { attempt: 2 })
  const ids = [rejected, approved, older]
  expect(await prepare({ action: 'reset_cases', ids })).toMatchObject({ ready: 1, doubtful: null })
  const job = await finish({ action: 'reset_cases', ids })
  const items = await listItems(job.id)
  expect(Object.fromEntries(items.map(({ entityId, code }) => [entityId, code]))).toEqual({
    [rejected]: null,
    [approved]: 'attempt_decided',
    [older]: 'attempt_superseded',
  })
  expect(await readCase(rejected)).toMatchObject({ status: 'rejected', kyc_status: 'pending' })
})

test('a reset that a rule covers becomes the request of the member’s page', async () => {
  const id = await makeCase()
  await withRule('reset_kyc', async () => {
    const job = await finish({ action: 'reset_cases', ids: [id] }, 'Wrong person')
    const [item] = await listItems(job.id)
    expect(item).toMatchObject({ state: 'requested' })
    expect((await approve(vera, { id: item!.approvalId! })).statusCode).toBe(200)
  })
  expect(await readCase(id)).toMatchObject({ status: 'reset', kyc_status: 'pending' })
})

test('a message that was tried since is not sent again', async () => {
  const id = await cases.resend_messages.make()
  const { id: jobId } = await begin({ action: 'resend_messages', ids: [id] })
  await server.sql(
    `INSERT INTO message_attempts (message_id, channel, try_number, success, started_by) VALUES ($1, 'platform', 1, true, 'queue')`,
    [id],
  )
  await run()
  expect(await listItems(jobId)).toMatchObject([{ state: 'skipped', code: 'stale' }])
})

test('who was disabled meanwhile does nothing more', async () => {
  await server.addOperator('dora', 'super_admin')
  const dora = createBulkCaller(server, server.as('dora'))
  const ids = await makeIds(2)
  const { id } = await dora.begin({ action: 'ban_users', ids }, 'Same device')
  await server.sql(`UPDATE admins SET disabled_at = now() WHERE username = 'dora'`)
  await run()
  expect(await read(id)).toMatchObject({ state: 'stopped', stopCause: 'disabled', counts: { waiting: 2 } })
  expect(await countBanned(ids)).toBe(0)
})

test('who lost the role meanwhile does nothing more', async () => {
  await server.addOperator('rosa', 'reviewer')
  const rosa = createBulkCaller(server, server.as('rosa'))
  const ids = await makeIds(2)
  const { id } = await rosa.begin({ action: 'ban_users', ids }, 'Same device')
  await server.sql(`UPDATE admins SET role = 'finance' WHERE username = 'rosa'`)
  await run()
  expect(await read(id)).toMatchObject({ state: 'stopped', stopCause: 'permission', counts: { waiting: 2 } })
  expect(await countBanned(ids)).toBe(0)
})

test('where a rule asks for an approval each row becomes a request of its own', async () => {
  const ids = await makeIds(2)
  await withRule('ban_user', async () => {
    expect(await prepare({ action: 'ban_users', ids })).toMatchObject({ mayNeedApproval: true })
    const job = await finish({ action: 'ban_users', ids }, 'Same device')
    expect(job).toMatchObject({ state: 'done', counts: { requested: 2, done: 0 } })
    expect(await countBanned(ids)).toBe(0)
    const [first] = await listItems(job.id)
    expect((await approve(vera, { id: first!.approvalId! })).statusCode).toBe(200)
    expect(await readMember(first!.entityId)).toEqual({ banned: true, banned_reason: 'Same device' })
    const second = await finish({ action: 'ban_users', ids }, 'Same device')
    expect(
      (await listItems(second.id)).map(({ code }) => code).toSorted(),
      'one is banned, one waits for an approval',
    ).toEqual(['already_banned', 'approval_waiting'])
  })
})

test('a rule from an amount on sends only what it covers to a second operator', async () => {
  const { id } = await makeMember(server)
  const small = await makeOrder(server, id, { investmentAmount: '10.00' })
  const large = await makeOrder(server, id, { investmentAmount: '9000.00' })
  await withRule(
    'cancel_order',
    async () => {
      const job = await finish({ action: 'cancel_orders', ids: [small.id, large.id] }, 'As agreed')
      expect(job.counts).toMatchObject({ done: 1, requested: 1 })
    },
    { fromAmount: '5000.00', currency: 'EUR' },
  )
})

test('a rule refuses more rows than a second operator decides one by one', async () => {
  const ids = await makeIds(mostBulkRequests + 1)
  await withRule('ban_user', async () => {
    expect((await ada('POST', '/api/bulk', { action: 'ban_users', ids })).json()).toMatchObject({ code: 'bulk_limit' })
  })
  expect((await prepare({ action: 'ban_users', ids })).job.total).toBe(mostBulkRequests + 1)
})

test('a role changes no more rows in a day than its limit', async () => {
  const limit = bulkLimits.reviewer!
  await server.addOperator('rolf', 'reviewer')
  const rolf = createBulkCaller(server, server.as('rolf'))
  const ids = await makeIds(3)
  const { id } = await rolf.begin({ action: 'ban_users', ids: ids.slice(0, 1) }, 'Same device')
  await server.sql('UPDATE bulk_jobs SET total = $2 WHERE id = $1', [id, limit - 1])
  const ask = async (count: number) =>
    (await server.as('rolf')('POST', '/api/bulk', { action: 'ban_users', ids: ids.slice(0, count) })).statusCode
  expect(await ask(1)).toBe(200)
  expect(await ask(2)).toBe(403)
  await server.sql('DELETE FROM bulk_jobs WHERE id = $1', [id])
})

test('jobs of others are shown only to who manages operators', async () => {
  await server.addOperator('rita', 'reviewer')
  const rita = server.as('rita')
  const { id } = await finish({ action: 'ban_users', ids: await makeIds(1) }, 'Same device')
  for (const path of ['', '/items']) expect((await rita('GET', `/api/bulk/${id}${path}`)).statusCode, path).toBe(404)
  expect((await rita('POST', `/api/bulk/${id}/stop`)).statusCode).toBe(404)
  expect((await rita('GET', '/api/bulk')).json().total).toBe(0)
  expect((await vera('GET', `/api/bulk/${id}`)).json()).toMatchObject({ job: { isOwn: false } })
})

test('a start asks who it is, as other large changes do', async () => {
  const { job } = await prepare({ action: 'ban_users', ids: await makeIds(1) })
  await server.sql(`UPDATE sessions SET authenticated_at = now() - interval '1 day'`)
  const reply = await ada('POST', `/api/bulk/${job.id}/start`, { reason: 'Same device' })
  await server.sql('UPDATE sessions SET authenticated_at = now()')
  expect(reply.json()).toMatchObject({ code: 'step_up_required' })
})

test('two runners at once do each row once', async () => {
  const ids = await makeIds(30)
  const { id } = await begin({ action: 'ban_users', ids }, 'Same device')
  await Promise.all([runJob(server.services, 'run-bulk'), runJob(server.services, 'run-bulk')])
  await run()
  expect(await read(id)).toMatchObject({ state: 'done', counts: { done: 30 } })
  const rows = await server.sql(
    `SELECT count(*)::int AS audited, count(DISTINCT target_id)::int AS members FROM audit_log
     WHERE action = 'ban_user' AND target_id = ANY($1)`,
    [ids],
  )
  expect(rows).toEqual([{ audited: 30, members: 30 }])
})

test('a row that fails for no reason of its own is tried again, then reported', async () => {
  const [id] = (await makeIds(1)) as [string]
  await server.sql(`CREATE FUNCTION fail_ban() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN IF NEW.id = '${id}' THEN RAISE 'planted'; END IF; RETURN NEW; END$$`)
  await server.sql('CREATE TRIGGER fail_ban BEFORE UPDATE ON members FOR EACH ROW EXECUTE FUNCTION fail_ban()')
  const other = (await makeIds(1))[0]!
  const job = await finish({ action: 'ban_users', ids: [id, other] }, 'Same device')
  await server.sql('DROP TRIGGER fail_ban ON members')
  expect(job).toMatchObject({ state: 'done', counts: { failed: 1, done: 1 }, isSeen: false })
  expect((await listItems(job.id)).find(({ state }) => state === 'failed')).toMatchObject({ code: 'internal' })
})
