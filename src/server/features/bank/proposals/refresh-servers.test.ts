import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contextFor, type Services } from '#server/core/context.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { readStoredLines } from '#server/features/bank/statements/stored-line.ts'
import { endLeases } from '#test/support/leases.ts'
import { importPayments } from '#test/support/bank-payments.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { loadProposal } from '#server/features/bank/candidates/build-proposal.ts'
import { endProposalRefresh, refreshProposals, toSuggestion } from './refresh-proposals.ts'

const server = await startServer()
await createBankCaller(server).addAccount()
const { db, pool } = server.services.database

/** A server of this database, which proposes until it is stopped. */
function addServer(name: string) {
  const database = connectPool({ ...readConnectionOptions(pool), application_name: name }, () => {})
  const services: Services = { ...server.services, database }
  let stopping = new AbortController()
  return {
    database,
    propose: () => refreshProposals(contextFor(services, { kind: 'system', name: 'tests' }), stopping.signal),
    /** Ends it as a restart does: it gives back its lease, and keeps what it had in memory. */
    async stop() {
      stopping.abort()
      stopping = new AbortController()
      await endProposalRefresh(services)
    },
  }
}

const servers = [addServer('one'), addServer('other')] as const
const [one, other] = servers
afterAll(async () => {
  for (const each of servers) await each.database.close()
})

let made = 20_000
async function makeLineWithOrder() {
  const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: `Lima ${(made += 13)}` })
  const order = await makeOrder(server, member.id, { orderNumber: `ORD-0${made}`, investmentAmount: '100.00' })
  const [id] = await importPayments(server, { text: order.orderNumber, payer: `ANA LIMA ${made}` })
  return { id: id!, order, member }
}

/** Notes which server stores a proposal. */
beforeAll(async () => {
  await server.sql('CREATE TABLE stored_proposals (line_id bigint, server text)')
  await server.sql(`CREATE FUNCTION note_proposal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO stored_proposals VALUES (NEW.id, current_setting('application_name')); RETURN NULL; END $$`)
  await server.sql(`CREATE TRIGGER noted AFTER UPDATE OF suggestion ON bank_lines FOR EACH ROW
    WHEN (NEW.suggestion IS NOT NULL) EXECUTE FUNCTION note_proposal()`)
})
beforeEach(async () => {
  await Promise.all(servers.map((each) => each.stop()))
  await server.sql('DELETE FROM stored_proposals')
})

/** Lines whose stored proposal is not what is proposed for them now. */
async function listStale(): Promise<string[]> {
  const stale: string[] = []
  for (const stored of await readStoredLines(db, sql`WHERE l.state IN ('open', 'part') ORDER BY l.id`)) {
    const proposal = await loadProposal(db, stored)
    const [row] = await server.sql<{ suggestion: string; outcome: string }>(
      'SELECT suggestion, outcome FROM bank_lines WHERE id = $1',
      [stored.id],
    )
    if (row!.suggestion !== toSuggestion(proposal) || row!.outcome !== proposal.outcome) stale.push(stored.id)
  }
  return stale
}

test('of two servers at once one proposes, each line once', async () => {
  const lines: Awaited<ReturnType<typeof makeLineWithOrder>>[] = []
  for (let n = 0; n < 8; n++) lines.push(await makeLineWithOrder())
  for (let pass = 0; pass < 3; pass++) await Promise.all([one.propose(), other.propose()])
  const stored = await server.sql<{ line: string; server: string }>(
    'SELECT line_id::text AS line, server FROM stored_proposals ORDER BY line_id',
  )
  expect(stored.map(({ line }) => line)).toEqual(lines.map(({ id }) => id))
  expect(new Set(stored.map(({ server }) => server)).size).toBe(1)
})

test('servers that take turns lose no change', async () => {
  const pay = server.as('ada')
  const lines: Awaited<ReturnType<typeof makeLineWithOrder>>[] = []
  for (let turn = 0; turn < 8; turn++) {
    lines.push(await makeLineWithOrder())
    const [first, second] = turn % 2 === 0 ? [one, other] : [other, one]
    await first.propose()
    // A change that the server which proposes next has not seen, of a line that it knows from an earlier turn.
    const { order, member } = lines[Math.max(0, turn - 2)]!
    if (turn % 3 === 0) await pay('PATCH', `/api/orders/${order.id}/status`, { status: 'paid' })
    else
      await server.sql(`UPDATE members SET legal_last_name = 'Neumann', version = version + 1 WHERE id = $1`, [
        member.id,
      ])
    if (turn % 4 === 1) await first.propose()
    await first.stop()
    await second.propose()
    expect(await listStale()).toEqual([])
    await second.stop()
  }
})

test('a server that was overtaken stores nothing more', async () => {
  await one.propose()
  await endLeases(server)
  await other.propose()
  const { id } = await makeLineWithOrder()
  await one.propose()
  expect(await server.sql('SELECT FROM stored_proposals')).toEqual([])
  await other.propose()
  expect(await server.sql('SELECT line_id::text AS id, server FROM stored_proposals')).toEqual([
    { id, server: 'other' },
  ])
  await other.stop()
  await one.propose()
  expect(await listStale()).toEqual([])
})

test('what a pass could not store is stored by the next one', async () => {
  const { id } = await makeLineWithOrder()
  const holder = await pool.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT FROM bank_lines WHERE id = $1 FOR UPDATE', [id])
    const pass = one.propose()
    const failed = expect(pass).rejects.toThrow()
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'one' AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await server.sql(end)).length).toBe(1)
    await failed
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
  expect(await server.sql('SELECT FROM stored_proposals')).toEqual([])
  await one.propose()
  expect(await server.sql('SELECT line_id::text AS id FROM stored_proposals')).toEqual([{ id }])
  expect(await listStale()).toEqual([])
})

test('4,500 changes at once propose only the lines that they concern again', async () => {
  const changed = await makeLineWithOrder()
  const other = await makeLineWithOrder()
  await one.propose()
  expect(await listStale()).toEqual([])
  // Only a pass over all lines would find it.
  await server.sql(`UPDATE bank_lines SET outcome = 'late' WHERE id = $1`, [other.id])
  await server.sql(
    `WITH others AS (
       INSERT INTO members (id, email, legal_first_name, legal_last_name)
       SELECT 'a-' || n, n || '@example.com', 'Otto', 'Other' FROM generate_series(1, 4500) n
     ) UPDATE members SET legal_last_name = 'Neumann', version = version + 1 WHERE id = $1`,
    [changed.member.id],
  )
  await one.propose()
  expect(await listStale()).toEqual([other.id])
})
