import { expect } from 'vitest'
import type { BulkState } from '#contract/bulk.ts'
import type { NamedChange } from './crash-bank.ts'
import type { Change, CrashTools, Reply } from './crash-test.ts'
import { runJob } from './jobs.ts'
import { makeMember } from './make.ts'
import type { TestServer } from './server.ts'

interface BulkTools extends Pick<CrashTools, 'crashAtEachStatement'> {
  rowId: (statement: string) => Promise<string>
}

const states: Record<BulkState, string> = {
  prepared: `'prepared', NULL, NULL, NULL`,
  running: `'running', now(), NULL, NULL`,
  stopped: `'stopped', now(), now(), 'operator'`,
  done: `'done', now(), now(), NULL`,
}

/** The changes of bulk jobs, to be killed at each statement. */
export function createBulkChanges(server: TestServer, { crashAtEachStatement, rowId }: BulkTools): NamedChange[] {
  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)
  /** A job of the operator who makes the calls, that bans two members. */
  async function makeJob(state: BulkState) {
    await server.sql('DELETE FROM bulk_jobs')
    const members = [await makeMember(server), await makeMember(server)].map(({ id }) => id)
    const id =
      await rowId(`INSERT INTO bulk_jobs (action, created_by, total, reason, state, started_at, ended_at, stop_cause)
      SELECT 'ban_users', id, 2, 'Same device', ${states[state]} FROM admins WHERE username = 'ada' RETURNING id::text`)
    await server.sql(
      'INSERT INTO bulk_items (job_id, entity_id, member_id, version) SELECT $1, m, m, 1 FROM unnest($2::text[]) AS m',
      [id, members],
    )
    return { id, members }
  }
  type Job = Awaited<ReturnType<typeof makeJob>>
  const broken = (): Reply => ({ statusCode: 0, body: '' })
  /** A server that died holds its lease until that ends. */
  async function run(services: TestServer['services']): Promise<Reply> {
    await server.sql('DELETE FROM leases')
    return runJob(services, 'run-bulk').then(() => ({ statusCode: 200, body: '' }), broken)
  }
  /** Killed between two rows, the job goes on with the next: each member is banned once. */
  async function goOn(_found: string[], { id, members }: Job) {
    await run(server.services)
    const rows = await server.sql(
      `SELECT m.version, (SELECT count(*)::int FROM audit_log a WHERE a.action = 'ban_user' AND a.target_id = m.id) AS audited,
         (SELECT count(*)::int FROM platform_events e WHERE e.type = 'member.banned' AND e.entity_id = m.id) AS told
       FROM members m WHERE m.id = ANY($1)`,
      [members],
    )
    expect(rows).toEqual(members.map(() => ({ version: 2, audited: 1, told: 1 })))
    const [job] = await server.sql('SELECT state, counts FROM bulk_jobs WHERE id = $1', [id])
    expect(job).toMatchObject({ state: 'done', counts: { done: 2, skipped: 0, failed: 0, waiting: 0 } })
  }
  return [
    [
      'the rows of a bulk job',
      'POST /api/bulk',
      change({
        make: async () => {
          await server.sql('DELETE FROM bulk_jobs')
          return makeMember(server)
        },
        act: ({ call }, { id }) => call('POST', '/api/bulk', { action: 'ban_users', ids: [id] }),
      }),
    ],
    [
      'the start of a bulk job',
      'POST /api/bulk/:id/start',
      change({
        make: () => makeJob('prepared'),
        act: ({ call }, { id }) => call('POST', `/api/bulk/${id}/start`, { reason: 'Same device' }),
        statusAgain: 409,
      }),
    ],
    [
      'the stop of a bulk job',
      'POST /api/bulk/:id/stop',
      change({
        make: () => makeJob('running'),
        act: ({ call }, { id }) => call('POST', `/api/bulk/${id}/stop`),
        statusAgain: 409,
      }),
    ],
    [
      'a look at the end of a bulk job',
      'POST /api/bulk/:id/see',
      change({ make: () => makeJob('stopped'), act: ({ call }, { id }) => call('POST', `/api/bulk/${id}/see`) }),
    ],
    [
      'each row of a bulk job',
      'the clock',
      // The two rows and the end.
      change({
        make: () => makeJob('running'),
        act: ({ services }) => run(services),
        standsAfter: 3,
        checkBetween: goOn,
      }),
    ],
  ]
}
