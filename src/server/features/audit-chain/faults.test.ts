import { writeFile } from 'node:fs/promises'
import { beforeEach, expect, test } from 'vitest'
import { audit } from '#server/core/audit.ts'
import { inTransaction } from '#server/core/context.ts'
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
const never = new AbortController().signal
const asSuperuser = (text: string) => server.sql(`SET LOCAL session_replication_role = replica; ${text}`)

async function write(count: number) {
  await inTransaction(system, async (tx) => {
    for (let n = 0; n < count; n++) await audit(tx, system, { action: 'import', details: { n } })
  })
  await settle(server)
  await sealAudit({ ...system, config: { ...services.config } }, never)
}

/** The ids of the rows of twelve entries, by entry. */
let ids: string[] = []
beforeEach(async () => {
  await asSuperuser(`DELETE FROM audit_log; DELETE FROM audit_chain; DELETE FROM settings WHERE name LIKE 'audit%'`)
  await server.sql('DELETE FROM security_events')
  await writeFile(checkpointFile(services.config), '')
  await write(12)
  const links = await server.sql<{ id: string }>('SELECT audit_id::text AS id FROM audit_chain ORDER BY seq')
  ids = ['', ...links.map(({ id }) => id)]
})
const rowOf = (seq: number) => `(SELECT audit_id FROM audit_chain WHERE seq = ${seq})`
const read = async () => {
  const { faults, badEntries } = await verifyAudit(services)
  return { badEntries, faults: faults.map(({ seq, kind, count, shownAt, side }) => [seq, kind, count, shownAt, side]) }
}

test('all bad rows are named, not the first alone', async () => {
  await asSuperuser(`UPDATE audit_log SET details = '{}' WHERE id IN (${rowOf(3)}, ${rowOf(9)})`)
  expect(await read()).toEqual({
    badEntries: 2,
    faults: [
      ['3', 'changed', 1, ids[3], null],
      ['9', 'changed', 1, ids[9], null],
    ],
  })
})

test('rows that were deleted together are one fault, shown at the row after them', async () => {
  await asSuperuser(`DELETE FROM audit_log WHERE id IN (${rowOf(5)}, ${rowOf(6)}, ${rowOf(7)}, ${rowOf(10)})`)
  expect(await read()).toEqual({
    badEntries: 4,
    faults: [
      ['5', 'deleted', 3, ids[8], 'before'],
      ['10', 'deleted', 1, ids[11], 'before'],
    ],
  })
})

test('deleted rows at the end are shown at the last row that is left', async () => {
  await asSuperuser(`DELETE FROM audit_log WHERE id IN (${rowOf(11)}, ${rowOf(12)})`)
  expect(await read()).toEqual({ badEntries: 2, faults: [['11', 'deleted', 2, ids[10], 'after']] })
})

test('missing entries of the chain and the rows that lack them are both named', async () => {
  await asSuperuser('DELETE FROM audit_chain WHERE seq IN (4, 5)')
  expect(await read()).toEqual({
    badEntries: 4,
    faults: [
      ['4', 'missing', 2, ids[6], 'before'],
      ['6', 'unsealed', 1, ids[4], null],
      ['6', 'unsealed', 1, ids[5], null],
    ],
  })
})

test('an end that was cut off is shown at the last entry that is left', async () => {
  await asSuperuser(`DELETE FROM audit_log WHERE id IN (SELECT audit_id FROM audit_chain WHERE seq > 9);
    DELETE FROM audit_chain WHERE seq > 9`)
  expect(await read()).toEqual({ badEntries: 3, faults: [['10', 'cut', 3, ids[9], 'after']] })
})

test('a log without any row left has nowhere to show a fault', async () => {
  await asSuperuser('DELETE FROM audit_log; DELETE FROM audit_chain')
  expect(await read()).toEqual({ badEntries: 12, faults: [['1', 'cut', 12, null, 'after']] })
})

test.each([
  ['before the first', '-3', '-3', 'changed'],
  ['beyond what a number counts', '9223372036854775807', '12', 'missing'],
])('an entry that was moved %s is found', async (_where, to, seq, kind) => {
  await asSuperuser(`UPDATE audit_chain SET seq = ${to} WHERE seq = 12`)
  const { fault, badEntries } = await verifyAudit(services)
  expect(fault).toMatchObject({ seq, kind })
  expect(Number.isSafeInteger(badEntries)).toBe(true)
})

test('a hundred faults are listed, and all are counted', async () => {
  await write(240)
  await asSuperuser(`UPDATE audit_log SET details = '{}' WHERE id IN (SELECT audit_id FROM audit_chain WHERE seq > 50)`)
  const { faults, badEntries } = await verifyAudit(services)
  expect([faults.length, badEntries]).toEqual([100, 202])
})

test('the screen reads each fault with the row that shows it (product 5.12)', async () => {
  await asSuperuser(`UPDATE audit_log SET details = '{}' WHERE id = ${rowOf(3)};
    DELETE FROM audit_log WHERE id = ${rowOf(7)}`)
  await verifyAndReport(system)
  expect((await server.as('ada')('GET', '/api/security/integrity')).json().verification).toMatchObject({
    badEntries: 2,
    faults: [
      { seq: '3', rowId: ids[3], kind: 'changed', count: 1, shownAt: ids[3], side: null },
      { seq: '7', rowId: ids[7], kind: 'deleted', count: 1, shownAt: ids[8], side: 'before' },
    ],
  })
})

test('a verification of before faults were listed is read by its first one', async () => {
  await verifyAndReport(system)
  await server.sql(`UPDATE settings SET value = value - 'faults' - 'badEntries'
    || '{"fault": {"seq": "3", "auditId": "9", "kind": "changed"}}' WHERE name = 'audit_verification'`)
  expect((await server.as('ada')('GET', '/api/security/integrity')).json().verification).toMatchObject({
    badEntries: 1,
    faults: [{ seq: '3', rowId: '9', kind: 'changed', count: 1, shownAt: '9', side: null }],
  })
})

const logs = async (query: string) => {
  const { logs: found, total } = (await server.as('ada')('GET', `/api/admin/logs?${query}`)).json()
  return { total, ids: found.map(({ id }: { id: string }) => id) }
}

test('Admin Actions begins with a row and goes on with those before it (product 5.12)', async () => {
  expect(await logs(`upTo=${ids[4]}`)).toEqual({ total: 4, ids: [ids[4], ids[3], ids[2], ids[1]] })
  expect(await logs(`upTo=${ids[4]}&limit=2&page=2`)).toEqual({ total: 4, ids: [ids[2], ids[1]] })
  expect(await logs('upTo=987654321')).toEqual({ total: 0, ids: [] })
  expect((await server.as('ada')('GET', '/api/admin/logs?upTo=x')).json()).toMatchObject({ code: 'invalid' })
})

test('Admin Actions lists the rows that verification marks alone (product 5.12)', async () => {
  expect(await logs('altered=true')).toEqual({ total: 0, ids: [] })
  await asSuperuser(`UPDATE audit_log SET details = '{}', action = 'platform_call' WHERE id = ${rowOf(3)};
    DELETE FROM audit_log WHERE id = ${rowOf(7)}`)
  await verifyAndReport(system)
  expect(await logs('altered=true')).toEqual({ total: 2, ids: [ids[8], ids[3]] })
})
