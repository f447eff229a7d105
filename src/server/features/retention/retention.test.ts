import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { readCommand } from '#server/cli/admin-commands.ts'
import { deleteDuePictures } from '#server/features/documents/service.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import { deleteDueBodies, deleteDueMessages } from '#server/features/messages/service.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember } from '#test/support/make.ts'
import { platformBase } from '#test/support/platform-calls.ts'
import { platformKey, startServer } from '#test/support/server.ts'
import { createFileFixtures } from '#test/support/stored-files.ts'

const server = await startServer()
const files = createFileFixtures(server)
const call = server.as('ada')
const admin = (...words: string[]) => readCommand(words)!(server.system)
const applyRules = () => runJob(server.services, 'apply-retention')

/** A member who was decided so many days ago, with a picture of the day before. */
async function makeDecided(kycStatus: 'approved' | 'rejected', days: number) {
  const { id } = await makeMember(server, { kycStatus })
  const { documentPath, path } = await files.uploadFile(id)
  await server.sql(
    `UPDATE members SET kyc_front_document = $2, kyc_decided_at = now() - make_interval(days => $3) WHERE id = $1`,
    [id, documentPath, days],
  )
  await server.sql(`UPDATE documents SET created_at = now() - make_interval(days => $2) WHERE key = $1`, [
    documentPath,
    days + 1,
  ])
  return { id, documentPath, path }
}
const isThere = async ({ documentPath, path }: { documentPath: string; path: string }) => [
  (await server.sql('SELECT FROM documents WHERE key = $1', [documentPath])).length === 1,
  (await files.list()).includes(path),
]

test('pictures go when their rule says so, and others stay (product 7.14)', async () => {
  const [due, young, approved, again] = [
    await makeDecided('rejected', 31),
    await makeDecided('rejected', 29),
    await makeDecided('approved', 4000),
    await makeDecided('rejected', 31),
  ]
  await server.sql('UPDATE documents SET created_at = now() WHERE key = $1', [again.documentPath])
  await applyRules()
  expect(await isThere(due)).toEqual([true, true])
  expect(await admin('retention', 'set', 'rejected_pictures', '30')).toBe(
    'Pictures of rejected members, from the rejection: deleted after 30 days, within the hour.',
  )
  await Promise.all([applyRules(), applyRules()])
  expect(await isThere(due)).toEqual([false, false])
  for (const kept of [young, approved, again]) expect(await isThere(kept)).toEqual([true, true])
  expect(await server.sql('SELECT kyc_front_document FROM members WHERE id = $1', [due.id])).toEqual([
    { kyc_front_document: null },
  ])
  expect(
    await server.sql("SELECT actor_name, target_id, details FROM audit_log WHERE action = 'apply_retention'"),
  ).toEqual([
    { actor_name: 'apply-retention', target_id: null, details: { kind: 'rejected_pictures', days: 30, rows: 1 } },
  ])
})

test('nothing of a member with a legal hold is deleted or erased (product 7.14)', async () => {
  const held = await makeDecided('rejected', 100)
  expect(await admin('hold', 'place', held.id, 'Court', '7', 'O', '12/26')).toContain(`hold lift ${held.id}`)
  await applyRules()
  expect(await isThere(held)).toEqual([true, true])
  await expect(eraseMember(server.system, held.id)).rejects.toMatchObject({
    code: 'legal_hold',
    status: 409,
    message: expect.stringContaining('The member cannot be erased while a legal hold stands (set by tests on '),
  })
  await expect(admin('hold', 'place', held.id, 'again')).rejects.toMatchObject({ code: 'legal_hold' })
  expect(await admin('hold', 'list')).toMatch(new RegExp(`^${held.id} .* tests +Court 7 O 12/26$`, 'm'))
  await admin('hold', 'lift', held.id)
  await expect(admin('hold', 'lift', held.id)).rejects.toMatchObject({ code: 'not_found' })
  expect(await eraseMember(server.system, held.id)).toMatchObject({ outcome: 'erased' })
  await expect(admin('hold', 'place', held.id, 'late')).rejects.toMatchObject({ code: 'member_erased' })
  // The reason is gone with the member, the rows of the audit log are not.
  expect(
    await server.sql(
      "SELECT action, audit_details(id, details) AS details FROM audit_log WHERE target_id = $1 AND action LIKE '%hold' ORDER BY id",
      [held.id],
    ),
  ).toEqual([
    { action: 'place_legal_hold', details: {} },
    { action: 'lift_legal_hold', details: {} },
  ])
})

test('bodies of messages go after their days, and those of held members stay', async () => {
  const [one, held] = [await makeMember(server), await makeMember(server)]
  await admin('hold', 'place', held.id, 'Court')
  for (const { id } of [one, held])
    await server.sql(
      `INSERT INTO messages (channel, direction, type, entity_type, entity_id, state, body_excerpt, created_at)
       VALUES ('kyc', 'in', 'result', 'member', $1, 'applied', 'body', now() - interval '11 days')`,
      [id],
    )
  await admin('retention', 'set', 'message_bodies', '10')
  await applyRules()
  expect(
    await server.sql('SELECT entity_id, body_excerpt FROM messages WHERE entity_id = ANY($1) ORDER BY body_excerpt', [
      [one.id, held.id],
    ]),
  ).toEqual([
    { entity_id: held.id, body_excerpt: 'body' },
    { entity_id: one.id, body_excerpt: null },
  ])
  expect(await admin('retention', 'set', 'message_bodies', 'keep')).toContain('kept until the member is erased')
  expect(await admin('retention', 'list')).toMatch(/^message_bodies .* kept/m)
})

test('delivered events go after their days with exact counts, and count as delivered', async () => {
  const members = [
    await makeMember(server),
    await makeMember(server),
    await makeMember(server),
    await makeMember(server),
  ]
  const [due, young, failed, held] = members.map(({ id }) => id)
  await admin('hold', 'place', held!, 'Court')
  for (const { id } of members)
    expect((await call('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })).statusCode).toBe(200)
  const isOf = `entity_id = ANY($1) AND channel = 'platform'`
  await server.sql(
    `UPDATE messages SET state = CASE entity_id WHEN $2 THEN 'failed' ELSE 'delivered' END, next_try_at = NULL,
       delivered_at = CASE entity_id WHEN $2 THEN NULL WHEN $3 THEN now() ELSE now() - interval '91 days' END,
       created_at = now() - interval '92 days' WHERE ${isOf}`,
    [members.map(({ id }) => id), failed, young],
  )
  const count = async () => (await call('GET', '/api/messages?count=exact')).json().total
  const before = await count()
  await admin('retention', 'set', 'messages', '90')
  await Promise.all([applyRules(), applyRules()])
  const left = await server.sql(`SELECT entity_id FROM messages WHERE ${isOf} ORDER BY id`, [
    members.map(({ id }) => id),
  ])
  expect(left.map((row) => row.entity_id)).toEqual([young, failed, held])
  expect(await count()).toBe(before - 1)
  const events = await server.app.inject({
    url: `${platformBase}/events?limit=1000`,
    headers: { authorization: `Bearer ${platformKey}` },
  })
  expect(events.statusCode, events.body).toBe(200)
  const told = events.json().events.find((event: { entity: { id: string } }) => event.entity.id === due)
  expect(told.delivery).toEqual({ state: 'delivered', deliveredAt: expect.any(String) })
  expect(
    await server.sql(
      `SELECT details FROM audit_log WHERE action = 'apply_retention' AND details->>'kind' = 'messages'`,
    ),
  ).toEqual([{ details: { kind: 'messages', days: 90, rows: 1 } }])
  await admin('retention', 'set', 'messages', 'keep')
})

test('results that came twice go after their days, and those that counted stay', async () => {
  const { id } = await makeMember(server)
  for (const state of ['applied', 'recorded', 'duplicate', 'refused'])
    await server.sql(
      `INSERT INTO messages (channel, direction, type, entity_type, entity_id, state, source, created_at)
       VALUES ('kyc', 'in', 'result', 'member', $1, $2, 'test', now() - interval '100 days')`,
      [id, state],
    )
  await admin('retention', 'set', 'messages', '90')
  await applyRules()
  expect(await server.sql('SELECT state FROM messages WHERE entity_id = $1 ORDER BY state', [id])).toEqual([
    { state: 'applied' },
    { state: 'recorded' },
  ])
  await admin('retention', 'set', 'messages', 'keep')
})

test('resolved security events go after their days, once they are sent', async () => {
  await server.sql(`DELETE FROM security_events`)
  await server.sql(
    `INSERT INTO security_events (severity, event_type, description, created_at, resolved_at, seq)
     SELECT 'low', type, type, now() - interval '40 days', CASE WHEN type <> 'open' THEN at END, seq
     FROM (VALUES ('due', now() - interval '31 days', 5), ('young', now() - interval '29 days', 6),
       ('open', now(), 7), ('unsent', now() - interval '31 days', 9)) AS v(type, at, seq)`,
  )
  await server.sql(`INSERT INTO alarm_outputs (name, event_seq, audit_seq) VALUES ('webhook', 8, 0)`)
  await admin('retention', 'set', 'security_events', '30')
  await applyRules()
  expect(await server.sql('SELECT event_type FROM security_events ORDER BY seq')).toEqual([
    { event_type: 'young' },
    { event_type: 'open' },
    { event_type: 'unsent' },
  ])
  expect((await call('GET', '/api/security/events?count=exact')).json().total).toBe(3)
  await server.sql('DELETE FROM alarm_outputs')
  await admin('retention', 'set', 'security_events', 'keep')
})

test('reads go after a year or more, but not of held members, and known devices too', async () => {
  const { id } = await makeMember(server)
  await admin('hold', 'place', id, 'a court')
  await server.sql(
    `INSERT INTO data_access (admin_id, session_id, kind, target, rows, at)
     SELECT 0, 0, 'members', CASE age WHEN 500 THEN $1 END, age, now() - make_interval(days => age)
     FROM (VALUES (365, 1), (367, 1), (401, 2500), (500, 1)) AS v(age, times), generate_series(1, times)`,
    [id],
  )
  await call('GET', '/api/auth/user')
  await server.sql(`INSERT INTO known_devices SELECT id, '192.0.2.1', convert_to(age::text, 'UTF8'),
    now() - make_interval(days => age) FROM admins, (VALUES (29), (31), (181)) AS v(age) WHERE username = 'ada'`)
  const left = async () => {
    const reads = await server.sql('SELECT rows FROM data_access WHERE admin_id = 0 ORDER BY rows')
    const devices = await server.sql(`SELECT convert_from(device_hash, 'UTF8') AS age FROM known_devices
      WHERE ip_address = '192.0.2.1' ORDER BY age`)
    return [reads.map(({ rows }) => rows), devices.map(({ age }) => age)]
  }
  await admin('retention', 'set', 'reads', '400')
  await applyRules()
  expect(await left()).toEqual([
    [365, 367, 500],
    ['29', '31'],
  ])
  await admin('retention', 'set', 'reads', '366')
  await admin('retention', 'set', 'known_devices', '30')
  await applyRules()
  expect(await left()).toEqual([[365, 500], ['29']])
  await admin('hold', 'lift', id)
  await applyRules()
  expect((await left())[0]).toEqual([365])
  const audited = await server.sql(`SELECT (details->>'rows')::int AS rows FROM audit_log
    WHERE action = 'apply_retention' AND details->>'kind' = 'reads' ORDER BY id`)
  expect(audited.map(({ rows }) => rows)).toEqual([2000, 500, 1, 1])
  for (const days of ['365', 'keep'])
    await expect(async () => admin('retention', 'set', 'reads', days)).rejects.toThrow(
      'days: must be a whole number from 366 to 36500',
    )
})

test('a kind that cannot be deleted keeps no other from being deleted', async () => {
  const { id } = await makeMember(server)
  await server.sql(
    `INSERT INTO messages (channel, direction, type, entity_type, entity_id, state, body_excerpt, created_at)
     VALUES ('kyc', 'in', 'result', 'member', $1, 'refused', 'body', now() - interval '9 days')`,
    [id],
  )
  await server.sql(`
    CREATE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''not these''; END';
    CREATE TRIGGER refuse BEFORE UPDATE ON messages FOR EACH ROW EXECUTE FUNCTION refuse_update()`)
  for (const kind of ['message_bodies', 'messages']) await admin('retention', 'set', kind, '8')
  await expect(applyRules()).rejects.toMatchObject({
    errors: [{ message: 'message_bodies could not be deleted', cause: { cause: { message: 'not these' } } }],
  })
  expect(await server.sql('SELECT FROM messages WHERE entity_id = $1', [id])).toEqual([])
  await server.sql('DROP TRIGGER refuse ON messages')
  for (const kind of ['message_bodies', 'messages']) await admin('retention', 'set', kind, 'keep')
})

test('what is due is found by an index of it alone, whatever was deleted before', async () => {
  const { id } = await makeMember(server)
  await server.sql(
    `INSERT INTO messages (channel, direction, type, entity_type, entity_id, state, source, created_at)
     SELECT 'kyc', 'in', 'result', 'member', $1, 'recorded', 'test', now() - interval '9 days'
     FROM generate_series(1, 1000)`,
    [id],
  )
  await server.sql(`INSERT INTO message_attempts (message_id, channel, try_number, success, created_at)
    SELECT id, 'kyc', 1, true, created_at FROM messages WHERE state = 'recorded'`)
  await server.sql('ANALYZE messages, message_attempts')
  const plans: string[] = []
  await server.services.database.transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL enable_seqscan = off`)
    await tx.execute(sql`SET LOCAL enable_sort = off`)
    const execute = async (statement: SQL) => {
      const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${statement}`)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return tx.execute(statement)
    }
    const explained = Object.create(tx, { execute: { value: execute } }) as typeof tx
    await deleteDueMessages(explained, 8)
    await deleteDueBodies(explained, 8)
    await deleteDuePictures(explained, { status: 'approved', days: 8, after: { decidedAt: '2026-01-01', id } })
  })
  for (const index of ['messages_over', 'messages_body', 'message_attempts_response', 'members_decided'])
    expect(plans.join('\n')).toContain(`using ${index} on`)
})

test('words that are no command are refused with the usage', () => {
  for (const words of [
    ['retention'],
    ['retention', 'set', 'everything', '1'],
    ['retention', 'set', 'message_bodies', 'soon'],
    ['hold', 'place', 'm-1'],
    ['hold', 'lift'],
  ])
    expect(() => readCommand(words)).toThrow('Usage: npm run admin')
})
