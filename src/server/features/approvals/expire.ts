import { sql } from 'drizzle-orm'
import { announce, auditAll } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'

interface DueRequest {
  id: string
  action: string
  memberId: string | null
  name: string
}

/** Closes the requests whose time is over by the database's clock. Those that somebody is deciding are left to them. */
export async function expireDue(tx: Tx, ctx: Ctx): Promise<number> {
  const { rows } = await tx.execute<DueRequest & Record<string, unknown>>(sql`
    WITH due AS MATERIALIZED (
      SELECT id FROM approvals WHERE state = 'open' AND expires_at <= now() ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE approvals AS a SET state = 'expired', closed_at = now() FROM due WHERE a.id = due.id
    RETURNING a.id::text, a.action, a.target_name AS name, a.member_id AS "memberId"`)
  if (rows.length === 0) return 0
  await auditAll(
    tx,
    // Nobody has done it but time.
    { ...ctx, actor: { kind: 'system', name: 'system' }, ipAddress: null },
    rows.map(({ id, action, memberId, name }) => ({
      action: 'expire_request' as const,
      target: { type: 'approval', id },
      details: { requested: action },
      personal: { memberId, details: { name } },
    })),
  )
  await announce(tx, 'approvals')
  return rows.length
}

export const expireApprovals = (ctx: Ctx): Promise<number> => inTransaction(ctx, (tx) => expireDue(tx, ctx))
