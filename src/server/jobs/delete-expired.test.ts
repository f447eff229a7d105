import pg from 'pg'
import { expect, test } from 'vitest'
import { makeDocument, makeMember } from '#test/support/make.ts'
import { password, startServer } from '#test/support/server.ts'
import { createAdmin } from '#server/features/auth/admins.ts'
import { runJob } from '#test/support/jobs.ts'

const server = await startServer()

test('what has expired is deleted and what is in use stays', async () => {
  await createAdmin(server.system, 'ada', password)
  const session = (token: string, columns: string) =>
    server.sql(`INSERT INTO sessions (token_hash, admin_id, ip_address, user_agent, created_at, last_active_at)
         SELECT '${token}', id, '', '', ${columns} FROM admins`)
  await session('used', `now(), now()`)
  await session('idle', `now() - interval '1 hour', now() - interval '31 minutes'`)
  await session('old', `now() - interval '12 hours', now()`)
  const throttle = (key: string, age: string, lockedFor: string | null) =>
    server.sql(
      `INSERT INTO sign_in_throttles VALUES ('${key}', 5, now() - interval '${age}', ${lockedFor ? `now() + interval '${lockedFor}'` : null})`,
    )
  await throttle('fresh', '1 hour', null)
  await throttle('locked', '25 hours', '5 minutes')
  await throttle('over', '25 hours', '-1 minute')
  await throttle('never locked', '25 hours', null)

  await Promise.all([runJob(server.services, 'delete-expired'), runJob(server.services, 'delete-expired')])

  expect(await server.sql(`SELECT convert_from(token_hash, 'UTF8') AS token FROM sessions`)).toEqual([
    { token: 'used' },
  ])
  expect(await server.sql('SELECT key FROM sign_in_throttles ORDER BY key')).toEqual([
    { key: 'fresh' },
    { key: 'locked' },
  ])
})

test('view tokens go when their time is over', async () => {
  const member = await makeMember(server)
  const document = await makeDocument(server, member.id)
  const token = (hash: string, left: string) =>
    server.sql(
      `INSERT INTO document_tokens (token_hash, session_id, document_key, expires_at)
       SELECT $1, max(id), $2, now() + $3::interval FROM sessions`,
      [hash, document.key, left],
    )
  await token('fresh', '1 minute')
  await token('over', '-1 second')
  await runJob(server.services, 'delete-expired')
  expect(await server.sql(`SELECT convert_from(token_hash, 'UTF8') AS hash FROM document_tokens`)).toEqual([
    { hash: 'fresh' },
  ])
})

test('much is deleted in batches, and what fails keeps nothing else', async () => {
  await server.sql(`
    CREATE TABLE deletions (of_table text, rows int);
    CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      'BEGIN INSERT INTO deletions SELECT tg_table_name, count(*) FROM gone; RETURN NULL; END';
    CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''not these''; END';
    CREATE TRIGGER note AFTER DELETE ON sign_in_throttles REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION note_deletion();
    CREATE TRIGGER refuse BEFORE DELETE ON ended_sessions FOR EACH ROW EXECUTE FUNCTION refuse_deletion();
    INSERT INTO ended_sessions SELECT 'over', 'idle', now() - interval '2 days';
    INSERT INTO sign_in_throttles SELECT 'over ' || n, 5, now() - interval '2 days' FROM generate_series(1, 4100) AS n`)
  const inUse = new pg.Client(server.connection)
  await inUse.connect()
  await inUse.query(`BEGIN; SELECT FROM sign_in_throttles WHERE key = 'over 1' FOR UPDATE`)

  await expect(runJob(server.services, 'delete-expired')).rejects.toMatchObject({
    errors: [{ cause: { message: 'not these' } }],
  })
  await inUse.end()

  expect(await server.sql(`SELECT rows FROM deletions WHERE of_table = 'sign_in_throttles'`)).toEqual([
    { rows: 2000 },
    { rows: 2000 },
    { rows: 99 },
  ])
  expect(await server.sql(`SELECT key FROM sign_in_throttles WHERE key LIKE 'over %'`)).toEqual([{ key: 'over 1' }])
  await server.sql('DROP TRIGGER refuse ON ended_sessions')
  await runJob(server.services, 'delete-expired')
  expect(await server.sql(`SELECT FROM ended_sessions WHERE ended_at < now() - interval '1 day'`)).toEqual([])
})
