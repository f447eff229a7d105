/**
 * How long a long audit log takes to be sealed and verified whole, beside reading the same rows with one plain statement, and how
 * far the heap grows meanwhile.
 *
 *   node --expose-gc bench/audit-verify.ts [entries, default 1000000]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { contentSql } from '#server/features/audit-chain/seal.ts'
import { sealAudit } from '#server/features/audit-chain/service.ts'
import { verifyAudit } from '#server/features/audit-chain/verify.ts'
import { openServerBase } from '#server/process/start.ts'

const entries = Number(process.argv[2] ?? 1_000_000)

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const config = readConfig({ DATA_DIR: join(folder, 'data'), DEMO: 'off' })
const foundation = await openServerBase(config, pino({ level: 'silent' }), () => {})
const superuser = connectPool({ ...foundation.owner, options: '' }, () => {})
const ctx = contextFor(foundation.services, { kind: 'system', name: 'bench' })

/** Seconds. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** MB of live objects. */
function readHeap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

const connection = await superuser.pool.connect()

try {
  // A million rows take longer than a call of the console may.
  await connection.query('SET statement_timeout = 0')
  await connection.query(
    `INSERT INTO audit_log (actor_kind, actor_name, action, target_type, target_id, details, ip_address)
     SELECT 'system', 'bench', 'ban_user', 'member', 'm-' || n, jsonb_build_object('reason', 'Fraud', 'number', n), '127.0.0.1'
     FROM generate_series(1, $1) AS n`,
    [entries],
  )
  await connection.query('VACUUM ANALYZE audit_log')
  const sealed = await time(() => sealAudit(ctx, new AbortController().signal))
  await connection.query('VACUUM ANALYZE audit_chain')
  const read = await time(() =>
    connection.query(`SELECT count(sha256(convert_to(${contentSql}, 'UTF8'))) FROM audit_log AS a`),
  )
  const before = readHeap()
  let most = before
  let outcome: Awaited<ReturnType<typeof verifyAudit>> | undefined
  const verified = await time(async () => {
    outcome = await verifyAudit(foundation.services, {
      onProgress: async (rows) => {
        if (rows % 100_000 === 0) most = Math.max(most, readHeap())
      },
    })
  })
  if (outcome!.badEntries > 0 || outcome!.rows !== entries) throw new Error(JSON.stringify(outcome))
  const rate = (seconds: number) => `${seconds.toFixed(1)} s, ${Math.round(entries / seconds)} a second`
  console.log(`${entries} entries sealed: ${rate(sealed)}`)
  console.log(`digested by the database in one statement: ${rate(read)}`)
  console.log(
    `verified: ${rate(verified)} (× ${(verified / read).toFixed(1)} of that); live heap ${before.toFixed(0)} → ${most.toFixed(0)} MB`,
  )
} finally {
  connection.release()
  await superuser.close()
  await foundation.close()
  await rm(folder, { recursive: true, force: true })
}
