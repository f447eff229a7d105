import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { markChanges } from '#server/db/changes.ts'
import { startProcess } from '#test/support/server-process.ts'
import { startServer } from '#test/support/server.ts'
import { sendAlarms } from '#server/features/alarms/service.ts'
import { sealAudit } from '#server/features/audit-chain/service.ts'
import { settle } from '#test/support/settle.ts'
import { reportStoppedJobs, reportStoppedSealing } from './stopped-jobs.ts'

const server = await startServer()
const { system, services } = server
const longEnough = 10 * 60_000
const readEvents = (type = 'jobs_stopped') =>
  server.sql(`SELECT severity, resolved_at FROM security_events WHERE event_type = $1`, [type])
const markLife = async (age: string) => {
  await server.sql('TRUNCATE change_marks')
  await markChanges(system)
  await server.sql(`UPDATE change_marks SET at = at - $1::interval`, [age])
}

beforeEach(() => server.sql('DELETE FROM security_events'))

test('jobs that nobody has run for some minutes are one critical event', async () => {
  await markLife('6 minutes')
  await Promise.all([1, 2, 3].map(() => reportStoppedJobs(system, longEnough)))
  await reportStoppedJobs(system, longEnough)
  expect(await readEvents()).toEqual([{ severity: 'critical', resolved_at: null }])
  const notices = await server.as('ada')('GET', '/api/notices')
  expect(notices.json().notices).toContainEqual({ kind: 'critical_events', count: 1 })
})

test('jobs that nobody has ever run are an event too', async () => {
  await server.sql('TRUNCATE change_marks')
  await reportStoppedJobs(system, longEnough)
  expect(await readEvents()).toHaveLength(1)
})

test('jobs that a server runs are no event', async () => {
  await markLife('2 minutes')
  await reportStoppedJobs(system, longEnough)
  expect(await readEvents()).toEqual([])
})

test('a server that has just started says nothing of stopped jobs', async () => {
  await markLife('8 hours')
  await reportStoppedJobs(system, 60_000)
  expect(await readEvents()).toEqual([])
})

const never = new AbortController().signal
const leaveUnsealed = (age: string) =>
  server.sql(
    `INSERT INTO audit_log (actor_kind, actor_name, action, details, created_at)
     VALUES ('system', 'queue', 'import', '{}', now() - $1::interval)`,
    [age],
  )

test('rows unsealed for ten minutes are one critical event, which alarms hear of', async () => {
  const log = `${services.config.dataDir}/alarms.jsonl`
  const alarmed = { ...system, config: { ...services.config, alarms: { ...services.config.alarms, log } } }
  await sendAlarms(alarmed, 'log', never)
  const slow = new pg.Client(server.connection)
  onTestFinished(() => slow.end())
  await slow.connect()
  await slow.query('BEGIN; SELECT pg_current_xact_id()')
  await leaveUnsealed('11 minutes')
  await sealAudit(system, never)
  await Promise.all([1, 2, 3].map(() => reportStoppedSealing(system, longEnough)))
  await reportStoppedSealing(system, longEnough)
  expect(await readEvents('sealing_stopped')).toEqual([{ severity: 'critical', resolved_at: null }])
  const notices = await server.as('ada')('GET', '/api/notices')
  expect(notices.json().notices).toContainEqual({ kind: 'critical_events', count: 1 })
  await sendAlarms(alarmed, 'log', never)
  expect(JSON.parse((await readFile(log, 'utf8')).trim())).toMatchObject({ action: 'sealing_stopped' })
})

test('rows that are sealed, or have just been written, are no event', async () => {
  await leaveUnsealed('11 minutes')
  await settle(server)
  await sealAudit(system, never)
  await leaveUnsealed('9 minutes')
  await reportStoppedSealing(system, longEnough)
  expect(await readEvents('sealing_stopped')).toEqual([])
})

test('a server without jobs answers calls, says so, and runs none (product 13.3)', async () => {
  await server.sql('TRUNCATE change_marks')
  await server.as('ada')('POST', '/api/auth/logout')
  const readSealed = async () => (await server.sql('SELECT FROM audit_chain')).length
  const readUnsealed = async () =>
    (await server.sql('SELECT FROM audit_log a WHERE NOT EXISTS (SELECT FROM audit_chain c WHERE c.audit_id = a.id)'))
      .length
  const sealed = await readSealed()
  const without = await startProcess(server, { JOBS: 'off' })
  expect(await (await fetch(`${without.url}/ready`)).json()).toEqual({ status: 'ok', jobs: 'off' })
  expect(await readUnsealed()).toBeGreaterThan(0)
  // While another one starts it would have sealed several times.
  await startProcess(server, { JOBS: 'off' })
  expect(await readSealed()).toBe(sealed)
  const beside = await startProcess(server)
  expect(await (await fetch(`${beside.url}/ready`)).json()).toEqual({ status: 'ok' })
  await expect.poll(readUnsealed, { timeout: 60_000 }).toBe(0)
  expect(await without.stop()).toBe(0)
})
