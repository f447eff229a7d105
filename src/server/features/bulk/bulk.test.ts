import { expect, test } from 'vitest'
import { banReasonRequired } from '#contract/members.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import { createBulkCaller } from '#test/support/bulk.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeMembers, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const [ada, bob] = [server.as('ada'), server.as('bob')]
const { prepare, begin, finish, run, read, listItems } = createBulkCaller(server, ada)

const makeNamed = (name: string, count: number) =>
  makeMembers(server, count, () => ({ legalFirstName: name, legalLastName: 'Okafor' }))
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const readMembers = (ids: string[]) =>
  server.sql<{ id: string; banned: boolean; banned_reason: string; banned_by: string; version: number }>(
    'SELECT id, banned, banned_reason, banned_by, version FROM members WHERE id = ANY($1) ORDER BY id',
    [ids],
  )

test('a filter freezes exactly the rows that its list counts', async () => {
  await makeNamed('Frozen', 7)
  await makeMember(server, { legalFirstName: 'Frozen', banned: true })
  for (const query of ['search=frozen', 'search=frozen&kycBanned=false', 'kycBanned=true']) {
    const listed = (await ada('GET', `/api/users?${query}`)).json()
    const { job, sample } = await prepare({
      action: 'ban_users',
      filter: Object.fromEntries(new URLSearchParams(query)),
    })
    expect(job.total, query).toBe(listed.total)
    const first = listed.users.map(({ id }: { id: string }) => id)
    expect(
      sample.map(({ entityId }) => entityId),
      'in the order of the list',
    ).toEqual(first.slice(0, 5))
  }
})

test('what is prepared changes nothing and is in nobody’s list', async () => {
  const ids = idsOf(await makeNamed('Prepared', 2))
  const { job, ready } = await prepare({ action: 'ban_users', ids })
  await run()
  expect(ready).toBe(2)
  expect(await readMembers(ids)).toMatchObject([{ banned: false }, { banned: false }])
  expect((await ada('GET', '/api/bulk')).json().jobs).not.toContainEqual(expect.objectContaining({ id: job.id }))
})

test('each row gets its own change, audit row and event, in the name of who started it', async () => {
  const ids = idsOf(await makeNamed('Each', 3))
  const job = await finish({ action: 'ban_users', ids }, '  Same device  ')
  expect(job).toMatchObject({ state: 'done', total: 3, counts: { done: 3, skipped: 0, waiting: 0 }, isSeen: false })
  expect(await readMembers(ids)).toMatchObject(
    ids.map((id) => ({ id, banned: true, banned_reason: 'Same device', banned_by: 'ada', version: 2 })),
  )
  const audited = await server.sql(
    `SELECT actor_name, audit_details(id, details) AS details FROM audit_log WHERE action = 'ban_user' AND target_id = ANY($1)`,
    [ids],
  )
  expect(audited).toHaveLength(3)
  for (const row of audited)
    expect(row).toMatchObject({ actor_name: 'ada', details: { bulkJob: job.id, reason: 'Same device' } })
  const events = await server.sql(
    `SELECT entity_id FROM platform_events WHERE type = 'member.banned' AND entity_id = ANY($1) ORDER BY id`,
    [ids],
  )
  expect(events).toHaveLength(3)
})

test('the start and the end are one audit row each', async () => {
  const ids = idsOf(await makeNamed('Audited', 2))
  const { id } = await finish({ action: 'ban_users', ids }, 'Same device')
  const rows = await server.sql(
    `SELECT action, actor_name, audit_details(id, details) AS details FROM audit_log
     WHERE target_type = 'bulk_job' AND target_id = $1 ORDER BY id`,
    [id],
  )
  expect(rows).toMatchObject([
    { action: 'start_bulk', actor_name: 'ada', details: { bulkAction: 'ban_users', rows: 2, reason: 'Same device' } },
    { action: 'end_bulk', actor_name: 'bulk', details: { done: 2, skipped: 0 } },
  ])
})

test('what changed meanwhile is skipped with its reason, and the rest is done', async () => {
  const [changed, banned, erased, plain] = idsOf(await makeNamed('Meanwhile', 4)) as [string, string, string, string]
  const started = await begin({ action: 'ban_users', ids: [changed, banned, erased, plain] }, 'Same device')
  await server.sql('UPDATE members SET version = version + 1 WHERE id = $1', [changed])
  await bob('POST', `/api/users/${banned}/ban`, { reason: 'Seen by Bob' })
  await eraseMember(server.system, erased)
  await run()
  const job = await read(started.id)
  expect(job).toMatchObject({ state: 'done', counts: { done: 1, skipped: 3 }, isSeen: false })
  const items = await listItems(job.id)
  const byId = Object.fromEntries(items.map(({ entityId, state, code }) => [entityId, { state, code }]))
  expect(byId).toEqual({
    [changed]: { state: 'skipped', code: 'stale' },
    [banned]: { state: 'skipped', code: 'already_banned' },
    [erased]: { state: 'skipped', code: 'member_erased' },
    [plain]: { state: 'done', code: null },
  })
  expect((await readMembers([banned]))[0]).toMatchObject({ banned_reason: 'Seen by Bob' })
  expect(await listItems(job.id, '&state=skipped')).toHaveLength(3)
})

test('two jobs over the same rows do each row once', async () => {
  const ids = idsOf(await makeNamed('Twice', 5))
  const [one, other] = [
    await begin({ action: 'ban_users', ids }, 'One'),
    await begin({ action: 'ban_users', ids }, 'Two'),
  ]
  await Promise.all([runJob(server.services, 'run-bulk'), runJob(server.services, 'run-bulk')])
  await run()
  const jobs = await Promise.all([one, other].map(({ id }) => read(id)))
  expect(jobs.reduce((sum, { counts }) => sum + counts.done, 0)).toBe(5)
  expect(jobs.reduce((sum, { counts }) => sum + counts.skipped, 0)).toBe(5)
  expect(
    await server.sql(`SELECT FROM audit_log WHERE action = 'ban_user' AND target_id = ANY($1)`, [ids]),
  ).toHaveLength(5)
})

test('the reason is asked for as for a single row', async () => {
  const { job } = await prepare({ action: 'ban_users', ids: idsOf(await makeNamed('Reason', 1)) })
  const start = (reason: string | null) => ada('POST', `/api/bulk/${job.id}/start`, { reason })
  expect((await start('  ')).json()).toMatchObject({ code: 'invalid', message: banReasonRequired })
  expect((await start('x'.repeat(1001))).json()).toMatchObject({ code: 'invalid' })
  expect((await start('Same device')).statusCode).toBe(200)
  expect((await start('Same device')).json(), 'once').toMatchObject({ code: 'bulk_state' })
})

test('another operator can’t start what somebody prepared', async () => {
  const { job } = await prepare({ action: 'ban_users', ids: idsOf(await makeNamed('Others', 1)) })
  expect((await bob('POST', `/api/bulk/${job.id}/start`, { reason: 'Mine' })).statusCode).toBe(403)
})

test('a stop leaves what waits, and is told in the audit log', async () => {
  const ids = idsOf(await makeNamed('Stopped', 3))
  const { id } = await begin({ action: 'ban_users', ids }, 'Same device')
  const reply = await bob('POST', `/api/bulk/${id}/stop`)
  expect(reply.json()).toMatchObject({ job: { state: 'stopped', stopCause: 'operator', stoppedBy: 'bob' } })
  await run()
  expect(await read(id)).toMatchObject({ state: 'stopped', counts: { waiting: 3, done: 0 }, isSeen: false })
  expect((await readMembers(ids)).every(({ banned }) => !banned)).toBe(true)
  expect((await bob('POST', `/api/bulk/${id}/stop`)).json()).toMatchObject({ code: 'bulk_state' })
})

test('its end with skipped rows is a notice until it was looked at', async () => {
  const countNotices = async () =>
    ((await ada('GET', '/api/notices')).json().notices as { kind: string; count: number }[]).find(
      ({ kind }) => kind === 'unfinished_bulk',
    )?.count ?? 0
  const listUnseen = async () => (await ada('GET', '/api/bulk?view=unseen')).json().total
  const before = await countNotices()
  const { id } = await finish({ action: 'unban_users', ids: idsOf(await makeNamed('Noticed', 1)) })
  expect(await countNotices()).toBe(before + 1)
  expect(await listUnseen()).toBe(before + 1)
  expect((await bob('POST', `/api/bulk/${id}/see`)).statusCode).toBe(403)
  expect((await ada('POST', `/api/bulk/${id}/see`)).statusCode).toBe(204)
  expect(await countNotices()).toBe(before)
  expect(await listUnseen()).toBe(before)
})

test('what ended whole stands in no notice, and is current in its session', async () => {
  const listJobs = async (call: typeof ada, view: string) =>
    (await call('GET', `/api/bulk?view=${view}`)).json().jobs.map(({ id }: { id: string }) => id)
  const { id } = await begin({ action: 'ban_users', ids: idsOf(await makeNamed('Whole', 1)) }, 'Same device')
  expect(await listJobs(ada, 'current')).toContain(id)
  await run()
  expect(await listJobs(ada, 'current')).toContain(id)
  expect(await listJobs(ada, 'unseen')).not.toContain(id)
  expect(await listJobs(bob, 'current'), 'another operator').not.toContain(id)
  await server.sql(
    `UPDATE bulk_jobs SET ended_at = now() - interval '1 day', started_at = now() - interval '1 day' WHERE id = $1`,
    [id],
  )
  expect(await listJobs(ada, 'current'), 'of an earlier session').not.toContain(id)
  await server.sql('UPDATE bulk_jobs SET ended_at = now() WHERE id = $1', [id])
  expect((await ada('POST', `/api/bulk/${id}/see`)).statusCode).toBe(204)
  expect(await listJobs(ada, 'current')).not.toContain(id)
})

test('the dialog says what the rows come to in each currency, to the last digit', async () => {
  const { id } = await makeMember(server)
  const make = async (investmentAmount: string, currency = 'EUR') =>
    (await makeOrder(server, id, { investmentAmount, currency })).id
  const ids = [await make('999999999999.10'), await make('0.20'), await make('5.00', 'GBP')]
  expect(await prepare({ action: 'mark_orders_paid', ids })).toMatchObject({
    sums: [
      { currency: 'EUR', amount: '999999999999.30' },
      { currency: 'GBP', amount: '5.00' },
    ],
  })
  expect(await prepare({ action: 'ban_users', ids: [id] })).toMatchObject({ sums: [] })
})

test('the result is a CSV with a line for each row', async () => {
  const ids = idsOf(await makeNamed('Result', 2))
  const { id } = await finish({ action: 'ban_users', ids }, 'Same device')
  const reply = await ada('GET', `/api/bulk/${id}/result`)
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="ban-members-${id}.csv"`)
  const lines = reply.body.trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain('Result Okafor')
  expect(lines[1]).toContain('Done')
})

test('an erasure removes what was entered about the member', async () => {
  const [first, second] = idsOf(await makeNamed('Erased', 2)) as [string, string]
  const done = await finish({ action: 'ban_users', ids: [first] }, 'Erased Okafor lied')
  await eraseMember(server.system, first)
  expect(await read(done.id)).toMatchObject({ reason: null })
  const running = await begin({ action: 'ban_users', ids: [second] }, 'Erased Okafor lied')
  await eraseMember(server.system, second)
  expect(await read(running.id), 'other rows need it').toMatchObject({ reason: 'Erased Okafor lied' })
  await run()
  expect(await read(running.id)).toMatchObject({ state: 'done', reason: null })
})

test('rows that are no rows of the list are refused', async () => {
  const post = async (body: unknown) => (await ada('POST', '/api/bulk', body)).json()
  expect(await post({ action: 'ban_users', ids: ['no such id!'] })).toMatchObject({ code: 'invalid' })
  expect(await post({ action: 'ban_users', ids: ['m-unknown'] })).toMatchObject({ code: 'bulk_empty' })
  expect(await post({ action: 'ban_users' })).toMatchObject({ code: 'invalid' })
  expect(await post({ action: 'ban_users', ids: ['a'], filter: {} })).toMatchObject({ code: 'invalid' })
  expect(await post({ action: 'ban_users', filter: { kycBanned: 'perhaps' } })).toMatchObject({ code: 'invalid' })
  expect(await post({ action: 'ban_users', filter: { colour: 'red' } })).toMatchObject({ code: 'invalid' })
  expect(await post({ action: 'mark_paid', ids: ['1'] })).toMatchObject({ code: 'invalid' })
})
