import { readFile, writeFile } from 'node:fs/promises'
import pg from 'pg'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { audit } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { buildDatabaseUrl } from '#test/support/console-process.ts'
import { startServer } from '#test/support/server.ts'
import { settle } from '#test/support/settle.ts'
import { checkpointFile } from './checkpoints.ts'
import { sealAudit } from './seal.ts'
import { verifyAudit } from './verify.ts'
import { verifyAndReport } from './verify-by-clock.ts'
import { findCluster } from '#test/support/cluster.ts'

const server = await startServer()
const { system, services } = server
services.config.databaseUrl = buildDatabaseUrl(findCluster().postgres, server.connection.database!)
const admin = await createAdminCommand(server)
const environment = { DATA_DIR: services.config.dataDir }
const never = new AbortController().signal
/** As a server that has just started. */
let started = system
const seal = async () => {
  await settle(server)
  await sealAudit(started, never)
}
const write = (count: number) =>
  inTransaction(system, async (tx) => {
    for (let n = 0; n < count; n++)
      await audit(tx, system, {
        action: 'import',
        target: { type: 'user', id: `m-${n}` },
        details: { n, b: 1.5, a: 'é' },
      })
  })
/** As somebody does who has the database: without triggers, constraints and rights. */
const asSuperuser = (text: string) => server.sql(`SET LOCAL session_replication_role = replica; ${text}`)
const links = () =>
  server.sql<{ seq: string; id: string }>(`SELECT seq::text, audit_id::text AS id FROM audit_chain c ORDER BY c.seq`)
const fault = async () => (await verifyAudit(services)).fault

/** Twelve sealed rows and their checkpoint. */
beforeEach(async () => {
  await asSuperuser(`DELETE FROM audit_log; DELETE FROM audit_chain; DELETE FROM settings WHERE name LIKE 'audit%'`)
  await server.sql('DELETE FROM security_events')
  started = { ...system, config: { ...services.config } }
  await writeFile(checkpointFile(services.config), '')
  await write(12)
  await seal()
})

test('every row is sealed once, in the order of the transactions, with its predecessor', async () => {
  await write(3)
  await seal()
  await seal()
  const rows = await server.sql<{ id: string }>('SELECT a.id::text FROM audit_log a ORDER BY a.xid, a.id')
  expect(await links()).toEqual(rows.map(({ id }, at) => ({ seq: String(at + 1), id })))
  expect(await verifyAudit(services)).toMatchObject({ rows: 15, fault: null })
})

test('a row of a transaction under way is sealed after it, and none is skipped', async () => {
  const slow = new pg.Client(server.connection)
  onTestFinished(() => slow.end())
  await slow.connect()
  await slow.query(
    `BEGIN; INSERT INTO audit_log (actor_kind, actor_name, action, details) VALUES ('system', 'slow', 'import', '{}')`,
  )
  await write(2)
  await sealAudit(started, never)
  expect(await links()).toHaveLength(12)
  await slow.query('COMMIT')
  await seal()
  expect(await links()).toHaveLength(15)
  expect(await fault()).toBeNull()
})

test('two servers that seal at once write one chain', async () => {
  await write(2500)
  const other = connectPool({ ...server.connection, max: 2 }, () => {})
  await Promise.all([seal(), sealAudit({ ...system, database: other }, never), seal()])
  await seal()
  await other.close()
  expect(await verifyAudit(services)).toMatchObject({ rows: 2512, fault: null })
})

test.each([
  [
    'an edit of a row',
    `UPDATE audit_log SET details = '{"n": 9}' WHERE id = (SELECT audit_id FROM audit_chain WHERE seq = 5)`,
    '5',
    'changed',
  ],
  [
    'another name',
    `UPDATE audit_log SET actor_name = 'bea' WHERE id = (SELECT audit_id FROM audit_chain WHERE seq = 7)`,
    '7',
    'changed',
  ],
  [
    'a deleted row',
    `DELETE FROM audit_log WHERE id = (SELECT audit_id FROM audit_chain WHERE seq = 6)`,
    '6',
    'deleted',
  ],
  ['a deleted entry of the chain', 'DELETE FROM audit_chain WHERE seq = 4', '4', 'missing'],
  [
    'a row deleted with its entry, and the rest renumbered',
    `DELETE FROM audit_log WHERE id = (SELECT audit_id FROM audit_chain WHERE seq = 6); DELETE FROM audit_chain WHERE seq = 6;
     UPDATE audit_chain SET seq = -seq WHERE seq > 6; UPDATE audit_chain SET seq = -seq - 1 WHERE seq < 0`,
    '6',
    'changed',
  ],
  [
    'two rows in another order',
    `UPDATE audit_chain SET seq = -seq WHERE seq IN (3, 4); UPDATE audit_chain SET seq = 7 + seq WHERE seq < 0`,
    '3',
    'changed',
  ],
  [
    'the tail cut off with its rows',
    `DELETE FROM audit_log WHERE id IN (SELECT audit_id FROM audit_chain WHERE seq > 9); DELETE FROM audit_chain WHERE seq > 9`,
    '10',
    'cut',
  ],
  ['everything cut off', 'DELETE FROM audit_log; DELETE FROM audit_chain', '1', 'cut'],
  [
    'a row put in behind the seal',
    `INSERT INTO audit_log (id, actor_kind, actor_name, action, details, xid) OVERRIDING SYSTEM VALUE
     SELECT min(id) - 1, 'admin', 'ada', 'ban_user', '{}', min(xid::text)::xid8 FROM audit_log`,
    '1',
    'unsealed',
  ],
])('%s is found, by the number of the first bad entry', async (_what, statement, seq, kind) => {
  await asSuperuser(statement)
  expect(await fault()).toMatchObject({ seq, kind })
})

test('audit verify ends with 1 and names the first bad entry', async () => {
  await asSuperuser('DELETE FROM audit_chain WHERE seq = 4')
  const { code, error } = await admin(['audit', 'verify'], { environment })
  expect(code).toBe(1)
  expect(error).toMatch(
    /^The first bad entry is 4 \(row \d+ of the audit log\): an entry of the chain is missing\.\nBefore it 3 entries/,
  )
})

test('what is sealed goes on after a cut, and verification still finds it', async () => {
  await asSuperuser(
    'DELETE FROM audit_log WHERE id IN (SELECT audit_id FROM audit_chain WHERE seq > 9); DELETE FROM audit_chain WHERE seq > 9',
  )
  await write(20)
  await seal()
  expect(await fault()).toMatchObject({ seq: '12', kind: 'changed' })
})

test('a fault is one critical event at the bell until it is resolved', async () => {
  await asSuperuser('DELETE FROM audit_chain WHERE seq = 4')
  for (let n = 0; n < 2; n++) await verifyAndReport(system)
  const events = await server.sql(`SELECT severity, event_type, description, details FROM security_events`)
  expect(events).toEqual([
    {
      severity: 'critical',
      event_type: 'audit_altered',
      description: expect.stringContaining('The audit log is not what was sealed. The first bad entry is 4'),
      details: { seq: '4', kind: 'missing', auditId: expect.any(String) },
    },
  ])
  expect((await server.as('ada')('GET', '/api/notices')).json().notices).toContainEqual({
    kind: 'critical_events',
    count: 1,
  })
  expect((await server.as('ada')('GET', '/api/security/integrity')).json()).toMatchObject({
    account: { name: 'console', level: 'limited' },
    verification: { rows: 3, fault: { seq: '4', text: expect.stringContaining('an entry of the chain is missing') } },
  })
})

test('a checkpoint that nobody signed counts for nothing', async () => {
  const [line] = (await readFile(checkpointFile(services.config), 'utf8')).trim().split('\n')
  const forged = { ...(JSON.parse(line!) as object), seq: '99' }
  await writeFile(checkpointFile(services.config), `${line}\n${JSON.stringify(forged)}\nnonsense "seq"\n`)
  expect(await verifyAudit(services)).toMatchObject({ fault: null, checkpoints: { valid: 1, invalid: 2 } })
})

test('a checkpoint is kept after a hundred rows, and a line of the log serves as one', async () => {
  await write(99)
  await seal()
  expect((await verifyAudit(services)).checkpoints.valid).toBe(1)
  await write(1)
  await seal()
  const lines = (await readFile(checkpointFile(services.config), 'utf8')).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { seq: string }).seq)).toEqual(['12', '112'])
  const log = `${services.config.dataDir}/console.log`
  await writeFile(log, `{"level":30,"checkpoint":${lines[1]},"msg":"audit checkpoint"}\n`)
  await writeFile(checkpointFile(services.config), '')
  await asSuperuser(
    'DELETE FROM audit_log WHERE id IN (SELECT audit_id FROM audit_chain WHERE seq > 50); DELETE FROM audit_chain WHERE seq > 50',
  )
  const { code, error } = await admin(['audit', 'verify', '--checkpoints', log], { environment })
  expect({ code, error }).toMatchObject({
    code: 1,
    error: expect.stringContaining('The first bad entry is 51: the end of the chain was cut off'),
  })
})

test('while many rows are sealed at once, their end alone is a checkpoint', async () => {
  await server.sql(`INSERT INTO audit_log (actor_kind, actor_name, action, target_type, target_id, details)
    SELECT 'system', 'tests', 'import', 'user', 'm-' || n, '{}' FROM generate_series(1, 2100) n`)
  await seal()
  const lines = (await readFile(checkpointFile(services.config), 'utf8')).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { seq: string }).seq)).toEqual(['12', '2112'])
})

test('a database that was moved to a server with smaller numbers is sealed on', async () => {
  await asSuperuser(`UPDATE audit_log SET xid = (xid::text::bigint + 1000000000)::text::xid8;
    UPDATE settings SET value = jsonb_set(value, '{xid}', to_jsonb((SELECT max(xid::text::bigint)::text FROM audit_log))) WHERE name = 'audit_seal'`)
  await write(5)
  await seal()
  await write(5)
  await seal()
  expect(await verifyAudit(services)).toMatchObject({ rows: 22, fault: null })
})

test('audit verify and audit status say what is right', async () => {
  const [verified, status] = [
    await admin(['audit', 'verify'], { environment }),
    await admin(['audit', 'status'], { environment }),
  ]
  expect(verified).toMatchObject({
    code: 0,
    out: 'The audit log is what was sealed: 12 entries and 1 checkpoints are right.\n',
  })
  expect(status.out).toMatch(/^Sealed up to entry 12, at .*\nNo row waits\.\nVerified at .*: 12 entries are right\.\n/)
})

test('a key that is lost stops the start, until it is given up by command', async () => {
  const other = { ...environment, AUDIT_KEY: Buffer.alloc(32, 9).toString('base64') }
  await asSuperuser('DELETE FROM audit_keys')
  expect((await admin(['list'], { environment })).code).toBe(0)
  const refused = await admin(['list'], { environment: other })
  expect(refused).toMatchObject({
    code: 1,
    error: expect.stringMatching(/is signed with the key [0-9a-f]{16}, and AUDIT_KEY holds another/),
  })
  expect((await admin(['audit', 'verify'], { environment: other })).error).toContain(
    'sealed with a key that is not here',
  )
  expect((await admin(['audit', 'new-key'], { environment: other })).out).toMatch(
    /^The key [0-9a-f]{16} signs from now on/,
  )
  expect((await admin(['list'], { environment: other })).code).toBe(0)
  // With both keys everything can be verified.
  const both = { ...environment, AUDIT_KEY: `${other.AUDIT_KEY},${services.config.auditKeys[0]}` }
  expect((await admin(['audit', 'verify'], { environment: both })).code).toBe(0)
  await asSuperuser('DELETE FROM audit_keys')
})
