import type { AuditVerifying, Integrity } from '#contract/schemas/security.ts'
import type { Ctx } from '#server/core/context.ts'
import { instant } from '#server/db/select.ts'
import { readAccount } from '#server/db/rights.ts'
import { isLockHeld } from '#server/db/advisory-lock.ts'
import { describeFault, type ShownFault } from './faults.ts'
import { progressName, readRequest } from './request-verification.ts'
import { cursorName } from './seal.ts'
import { readVerification, type StoredVerification, verificationLock } from './verify-by-clock.ts'

const cursorSql = `
  SELECT coalesce((SELECT (value->>'xid') FROM settings WHERE name = $1), '0')::xid8 AS xid,
    coalesce((SELECT (value->>'id') FROM settings WHERE name = $1), '0')::bigint AS id`

const stateSql = `
  WITH cursor AS (${cursorSql}), waiting AS (
    SELECT count(*)::int AS rows, min(a.created_at) AS since FROM audit_log AS a, cursor
    WHERE (a.xid, a.id) > (cursor.xid, cursor.id)
  )
  SELECT c.seq::text AS "sealedTo", ${instant('c.sealed_at')} AS "sealedAt", waiting.rows AS waiting,
    ${instant('waiting.since')} AS "waitingSince"
  FROM waiting LEFT JOIN (SELECT seq, sealed_at FROM audit_chain ORDER BY seq DESC LIMIT 1) AS c ON true`

const stoppedSql = `
  WITH cursor AS (${cursorSql})
  SELECT a.created_at < now() - make_interval(mins => $2) AS "isStopped" FROM audit_log AS a, cursor
  WHERE (a.xid, a.id) > (cursor.xid, cursor.id) ORDER BY a.xid, a.id LIMIT 1`

/** Whether rows of the audit log have waited to be sealed for longer than so many minutes. Reads one row. */
export async function isSealingStopped({ database: { pool } }: Ctx, minutes: number): Promise<boolean> {
  const { rows } = await pool.query<{ isStopped: boolean }>({
    name: 'audit_sealing_stopped',
    text: stoppedSql,
    values: [cursorName, minutes],
  })
  return rows[0]?.isStopped ?? false
}

/** What protects the audit log now: the server's account, the chain, and the last verification (product 5.12). */
export async function readIntegrity({ database }: Ctx): Promise<Omit<Integrity, 'alarms'>> {
  const { rows } = await database.pool.query<Integrity['chain']>({
    name: 'audit_state',
    text: stateSql,
    values: [cursorName],
  })
  const verification = await readVerification(database)
  return {
    account: await readAccount(database),
    chain: rows[0]!,
    verification: verification ? describeVerification(verification) : null,
    verifying: await readVerifying(database),
  }
}

/** A verification of before there were `faults` names the first one alone. */
function describeVerification({ at, rows, fault, ...found }: StoredVerification): Integrity['verification'] {
  const { faults = fault ? [showAtItself(fault)] : [], badEntries = faults.length } = found
  return {
    at,
    rows,
    fault: fault && { seq: fault.seq, text: describeFault(fault) },
    faults: faults.map(({ auditId, ...shown }) => ({ ...shown, rowId: auditId })),
    badEntries,
  }
}

const showAtItself = (fault: NonNullable<StoredVerification['fault']>): ShownFault => ({
  ...fault,
  count: 1,
  shownAt: fault.auditId,
  side: null,
})

const runSql = `SELECT ${isLockHeld('$1')} AS "isRunning", (SELECT value FROM settings WHERE name = $2) AS progress`

interface Run {
  isRunning: boolean
  progress: AuditVerifying['progress']
}

/** The verification that was asked for or runs. */
async function readVerifying({ pool }: Ctx['database']): Promise<AuditVerifying | null> {
  const request = await readRequest(pool)
  const { rows } = await pool.query<Run>({
    name: 'audit_verification_run',
    text: runSql,
    values: [verificationLock, progressName],
  })
  const { isRunning, progress } = rows[0]!
  if (!request && !isRunning) return null
  return { requestedAt: request?.at ?? null, requestedBy: request?.by ?? null, progress: isRunning ? progress : null }
}
