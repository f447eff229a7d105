import { writeFile } from 'node:fs/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { inTransaction } from '#server/core/context.ts'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { buildDatabaseUrl } from '#test/support/console-process.ts'
import { runJob } from '#test/support/jobs.ts'
import { startServer } from '#test/support/server.ts'
import { settle } from '#test/support/settle.ts'
import { audit } from '#server/core/audit.ts'
import { checkpointFile } from './checkpoints.ts'
import { sealAudit } from './seal.ts'
import { connectForVerification, verifyAudit } from './verify.ts'
import { takeVerificationLock, verifyWhenDue } from './verify-by-clock.ts'
import { findCluster } from '#test/support/cluster.ts'

const server = await startServer()
const { system, services } = server
services.config.databaseUrl = buildDatabaseUrl(findCluster().postgres, server.connection.database!)
const admin = await createAdminCommand(server)
const ada = server.as('ada')
const never = new AbortController().signal
const asSuperuser = (text: string) => server.sql(`SET LOCAL session_replication_role = replica; ${text}`)

const press = async (who = ada) => (await who('POST', '/api/security/integrity/verifications')).json()
const read = async () => (await ada('GET', '/api/security/integrity')).json()
const verify = () => runJob(services, 'verify-audit')
const requested = () =>
  server.sql<{ actor: string }>(`SELECT actor_name AS actor FROM audit_log WHERE action = 'verify_audit' ORDER BY id`)

async function seal() {
  await settle(server)
  // As a server that has just started.
  await sealAudit({ ...system, config: { ...services.config } }, never)
}

async function writeMany(rows: number) {
  await server.sql(
    `INSERT INTO audit_log (actor_kind, actor_name, action, details)
     SELECT 'system', 'test', 'import', '{}' FROM generate_series(1, $1)`,
    [rows],
  )
  await seal()
}

/** Some sealed rows, verified just now, so that nothing is due. */
beforeEach(async () => {
  await ada('GET', '/api/auth/user')
  await asSuperuser(`DELETE FROM audit_log; DELETE FROM audit_chain; DELETE FROM settings WHERE name LIKE 'audit%'`)
  await writeFile(checkpointFile(services.config), '')
  await inTransaction(system, async (tx) => {
    for (let n = 0; n < 5; n++) await audit(tx, system, { action: 'import', details: { n } })
  })
  await seal()
  await verify()
})

/** Holds the lock of a verification as another server does that verifies. */
async function verifyElsewhere() {
  const client = await connectForVerification(services)
  onTestFinished(() => client.end())
  expect(await takeVerificationLock(client, { waits: false })).toBe(true)
  return client
}

test('Verify Now has the log verified at once, whatever was verified last (product 5.12)', async () => {
  const before = (await read()).verification
  await asSuperuser(`UPDATE audit_log SET details = '{}' WHERE id = (SELECT audit_id FROM audit_chain WHERE seq = 2)`)
  await verify()
  expect((await read()).verification).toEqual(before)
  expect(await press()).toEqual({
    message: 'The audit log is verified now',
    verifying: { requestedAt: expect.any(String), requestedBy: 'ada', progress: null },
  })
  expect((await read()).verifying).toMatchObject({ requestedBy: 'ada', progress: null })
  await verify()
  const after = await read()
  expect(after.verifying).toBeNull()
  expect(after.verification).toMatchObject({ rows: 1, fault: { seq: '2' }, badEntries: 1 })
  expect(await requested()).toEqual([{ actor: 'ada' }])
})

test('a second press joins the first one, and is not a second row of the log', async () => {
  const first = await press()
  expect(await press()).toEqual({ ...first, message: 'ada has asked for a verification already, which is not over' })
  await Promise.all([press(), press(), press()])
  expect(await requested()).toHaveLength(1)
  await verify()
  await press()
  expect(await requested()).toHaveLength(2)
})

test('one of two simultaneous presses asks, the other joins', async () => {
  const messages = (await Promise.all([press(), press()])).map(({ message }) => message)
  expect(messages.filter((message) => message === 'The audit log is verified now')).toHaveLength(1)
  expect(await requested()).toHaveLength(1)
})

test('two servers verify one at a time, and the other leaves the request to the first', async () => {
  const other = await verifyElsewhere()
  await press()
  await verify()
  expect((await read()).verifying).toMatchObject({ requestedBy: 'ada' })
  await other.end()
  await verify()
  expect((await read()).verifying).toBeNull()
})

test('a verification that nobody asked for is shown while it runs', async () => {
  const other = await verifyElsewhere()
  expect((await read()).verifying).toEqual({ requestedAt: null, requestedBy: null, progress: null })
  await other.end()
  await expect.poll(async () => (await read()).verifying).toBeNull()
})

test('what was asked for while another verification ran is verified after it', async () => {
  await writeMany(2500)
  let pressed: unknown
  await verifyWhenDue(system, never, {
    isDue: true,
    onProgress: async () => {
      pressed ??= await press()
    },
  })
  expect(pressed).toMatchObject({ message: 'The audit log is verified now' })
  expect((await read()).verifying).toMatchObject({ requestedBy: 'ada' })
  await verify()
  expect((await read()).verifying).toBeNull()
})

test('a server that stops leaves the request to the next one', async () => {
  await press()
  const before = (await read()).verification
  await verifyWhenDue(system, AbortSignal.abort())
  expect(await read()).toMatchObject({ verifying: { requestedBy: 'ada' }, verification: before })
  await verify()
  expect((await read()).verifying).toBeNull()
})

test('a verification that fails ends its request', async () => {
  await press()
  const broken = { ...system, config: { ...services.config, dataDir: '/dev/null', auditKeys: [] } }
  await expect(verifyWhenDue(broken, never)).rejects.toThrow()
  expect((await read()).verifying).toBeNull()
})

test('one that is due by the clock and fails is tried again after a pause', async () => {
  await asSuperuser(`DELETE FROM settings WHERE name = 'audit_verification'`)
  const broken = { ...system, config: { ...services.config, dataDir: '/dev/null', auditKeys: [] } }
  await expect(verifyWhenDue(broken, never)).rejects.toThrow()
  await verifyWhenDue(broken, never)
  await press()
  await expect(verifyWhenDue(broken, never)).rejects.toThrow()
})

test('how far a long verification is can be read', async () => {
  await writeMany(4500)
  const seen: [number, number][] = []
  await verifyAudit(services, {
    onProgress: async (rows, of) => {
      seen.push([rows, of])
    },
  })
  expect(seen).toEqual([
    [2000, 4505],
    [4000, 4505],
  ])
  const shown: unknown[] = []
  await press()
  await verifyWhenDue(system, never, {
    onProgress: async () => {
      shown.push((await read()).verifying.progress)
    },
  })
  expect(shown[0]).toEqual({ rows: 2000, of: 4505 })
})

test('a long verification holds no snapshot between its batches', async () => {
  await writeMany(4500)
  const connections: unknown[] = []
  let sealed = 0
  const verified = await verifyAudit(services, {
    onProgress: async () => {
      connections.push(
        ...(await server.sql(
          `SELECT state, xact_start, backend_xmin FROM pg_stat_activity
           WHERE application_name = 'back-office audit' AND datname = current_database()`,
        )),
      )
      await writeMany(1)
      sealed++
    },
  })
  expect(sealed).toBe(2)
  const atRest = { state: 'idle', xact_start: null, backend_xmin: null }
  expect(connections).toEqual([atRest, atRest])
  expect(verified).toMatchObject({ rows: 4505 + sealed, faults: [] })
})

test('audit verify waits for a verification that runs', async () => {
  const other = await verifyElsewhere()
  const ended = admin(['audit', 'verify'], { environment: { DATA_DIR: services.config.dataDir } })
  await expect
    .poll(
      () =>
        server.sql(`SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
          WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`),
      { timeout: 60_000 },
    )
    .toHaveLength(1)
  await other.end()
  expect(await ended).toMatchObject({ code: 0, error: '' })
})
