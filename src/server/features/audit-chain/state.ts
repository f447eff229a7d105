import type { Integrity } from '#contract/schemas/security.ts'
import type { Ctx } from '#server/core/context.ts'
import { instant } from '#server/db/select.ts'
import { readAccount } from '#server/db/rights.ts'
import { cursorName } from './seal.ts'
import { describeFault } from './verify.ts'
import { readVerification } from './verify-by-clock.ts'

const stateSql = `
  WITH cursor AS (
    SELECT coalesce((SELECT (value->>'xid') FROM settings WHERE name = $1), '0')::xid8 AS xid,
      coalesce((SELECT (value->>'id') FROM settings WHERE name = $1), '0')::bigint AS id
  ), waiting AS (
    SELECT count(*)::int AS rows, min(a.created_at) AS since FROM audit_log AS a, cursor
    WHERE (a.xid, a.id) > (cursor.xid, cursor.id)
  )
  SELECT c.seq::text AS "sealedTo", ${instant('c.sealed_at')} AS "sealedAt", waiting.rows AS waiting,
    ${instant('waiting.since')} AS "waitingSince"
  FROM waiting LEFT JOIN (SELECT seq, sealed_at FROM audit_chain ORDER BY seq DESC LIMIT 1) AS c ON true`

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
    verification: verification
      ? {
          at: verification.at,
          rows: verification.rows,
          fault: verification.fault && { seq: verification.fault.seq, text: describeFault(verification.fault) },
        }
      : null,
  }
}
