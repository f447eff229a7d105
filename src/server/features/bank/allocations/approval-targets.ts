import { sql } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Target } from '#server/features/approvals/service.ts'
import { readPolicyRow } from '#server/features/bank/shared/policy.ts'

/**
 * A line of the bank as the target of a request. Its whole amount counts, whatever allocation of it is applied: else a large line could
 * be applied in small allocations. So does that of the order which it pays: else small lines could pay a large order. Null where there
 * is not one.
 */
export async function findLineTarget(db: Db | Tx, id: string): Promise<Target | null> {
  if (!RowId.safeParse(id).success) return null
  const { rows } = await db.execute<{
    line: string
    amount: string
    currency: string
    version: number
    payer: string | null
  }>(sql`
    SELECT l.amount::text AS line, l.currency, l.version, l.payer_name AS payer, GREATEST(l.amount, (
      SELECT max(o.investment_amount) FROM bank_allocations p JOIN orders o ON o.id = p.order_id
      WHERE p.line_id = l.id AND p.purpose = 'order' AND p.undone_at IS NULL AND o.currency = l.currency))::text AS amount
    FROM bank_lines l WHERE l.id = ${id}`)
  const [found] = rows
  if (!found) return null
  const { line, amount, currency, version, payer } = found
  const name = `${payer ?? 'Unnamed payer'}, ${line} ${currency}`
  return { type: 'bank_line', id, name, version, amount, currency }
}

/** The line of an allocation that is to be undone. An allocation has no version: it is undone once. */
export async function findAllocationTarget(db: Db | Tx, allocationId: string): Promise<Target | null> {
  if (!RowId.safeParse(allocationId).success) return null
  const { rows } = await db.execute<{ lineId: string; memberId: string | null }>(sql`
    SELECT p.line_id::text AS "lineId", o.member_id AS "memberId"
    FROM bank_allocations p LEFT JOIN orders o ON o.id = p.order_id WHERE p.id = ${allocationId}`)
  const [allocation] = rows
  const line = allocation && (await findLineTarget(db, allocation.lineId))
  return line ? { ...line, version: null, memberId: allocation.memberId } : null
}

/** The line of several allocations. One request undoes them all. The member is named where there is one. */
export async function findAllocationsTarget(db: Db | Tx, allocationIds: readonly string[]): Promise<Target | null> {
  const targets: Target[] = []
  for (const id of allocationIds) {
    const target = await findAllocationTarget(db, id)
    if (target) targets.push(target)
  }
  const [first] = targets
  const members = new Set(targets.flatMap(({ memberId }) => memberId ?? []))
  return first ? { ...first, memberId: members.size === 1 ? [...members][0]! : null } : null
}

export async function findPolicyTarget(db: Db | Tx): Promise<Target> {
  const { version } = await readPolicyRow(db)
  return { type: 'bank_policy', id: '1', name: 'Reconciliation policy', version }
}
