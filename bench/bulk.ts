/**
 * 10,000 members banned by one bulk job, beside members banned one by one; the console is killed in the middle and goes on.
 *
 *   node bench/bulk.ts [--rows 10000] [--single 1000]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { buildDatabaseUrl, waitForAddress } from '#test/support/console-process.ts'
import { seed } from './seed.ts'

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '10000' }, single: { type: 'string', default: '1000' } },
})
const rows = Number(options.rows)
const single = Number(options.single)
const [username, password] = ['bench', 'a password for measuring only']
const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
const database = connectPool(postgres.connection, () => {})

async function startConsole() {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/server/main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: buildDatabaseUrl(postgres.connection, postgres.connection.database),
      DATA_DIR: folder,
      PORT: '0',
      ADMIN_USERNAME: username,
      ADMIN_PASSWORD: password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const address = await waitForAddress(child)
  return { address, end: (signal: 'SIGTERM' | 'SIGKILL') => child.kill(signal) && ended }
}

let current = await startConsole()
let cookie = ''
async function call<Reply>(method: string, path: string, body?: object): Promise<Reply> {
  const reply = await fetch(`${current.address}/api/${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  const given = reply.headers.getSetCookie().map((each) => each.split(';')[0]!)
  if (given.length > 0) cookie = given.join('; ')
  return (await reply.json()) as Reply
}

interface Counts {
  job: { id: string; state: string; total: number; counts: { done: number; skipped: number; failed: number } }
}

/** Asks for the job until `isReached`. */
async function waitForJob(id: string, isReached: (job: Counts['job']) => boolean): Promise<Counts['job']> {
  for (;;) {
    const { job } = await call<Counts>('GET', `bulk/${id}`)
    if (isReached(job)) return job
    await pause(500)
  }
}

const perSecond = (count: number, since: number) => count / ((performance.now() - since) / 1000)

try {
  await call('POST', 'auth/login', { username, password })
  await call('POST', 'account/password', { currentPassword: password, newPassword: 'a walk along the river at dusk' })
  await seed(database, Math.ceil((rows + single) * 1.1))
  await database.pool.query('DELETE FROM members WHERE banned')
  const { rows: members } = await database.pool.query<{ id: string }>('SELECT id FROM members ORDER BY id')

  let begun = performance.now()
  for (const { id } of members.slice(0, single)) await call('POST', `users/${id}/ban`, { reason: 'Same device' })
  const oneByOne = perSecond(single, begun)
  await database.pool.query('DELETE FROM members WHERE id = ANY($1)', [
    members.slice(single + rows).map(({ id }) => id),
  ])

  const { job } = await call<Counts>('POST', 'bulk', { action: 'ban_users', filter: { kycBanned: 'false' } })
  begun = performance.now()
  await call('POST', `bulk/${job.id}/start`, { reason: 'Same device' })
  const atKill = await waitForJob(job.id, ({ counts }) => counts.done >= rows / 2)
  const inBulk = perSecond(atKill.counts.done, begun)
  await current.end('SIGKILL')
  current = await startConsole()
  const ended = await waitForJob(job.id, ({ state }) => state !== 'running')
  const { rows: found } = await database.pool.query<{ banned: number; audited: number; twice: number; events: number }>(
    `SELECT (SELECT count(*)::int FROM members WHERE banned) AS banned,
       (SELECT count(*)::int FROM audit_log WHERE action = 'ban_user') AS audited,
       (SELECT count(*)::int FROM (SELECT FROM audit_log WHERE action = 'ban_user' GROUP BY target_id HAVING count(*) > 1) t) AS twice,
       (SELECT count(DISTINCT entity_id)::int FROM platform_events WHERE type = 'member.banned') AS events`,
  )
  const { banned, audited, twice, events } = found[0]!
  console.log(
    `one by one ${oneByOne.toFixed(0)} rows/s, in bulk ${inBulk.toFixed(0)} rows/s: ratio ${(inBulk / oneByOne).toFixed(2)}`,
  )
  console.log(
    `killed at ${atKill.counts.done} of ${job.total}, then ${ended.state}: ${ended.counts.done} done, ${ended.counts.skipped} ` +
      `skipped, ${ended.counts.failed} failed; ${banned} banned, ${audited} audit rows, ${events} with an event, ${twice} twice`,
  )
} finally {
  await current.end('SIGTERM')
  await database.pool.end()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
