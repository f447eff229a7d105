import { sql } from 'drizzle-orm'
import { approvalTexts } from '#contract/approvals.ts'
import { allocationTexts } from '#contract/bank-allocations.ts'
import type { ApplyExact } from '#contract/schemas/bank-allocations.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { runOrRequest } from '#server/features/approvals/service.ts'
import { findLineTarget } from './approval-targets.ts'
import { applyCredit, lockForScoring, recordApplied } from './apply.ts'
import { requireWorkable, lockLines } from './line-rules.ts'
import { readPolicyRow } from '#server/features/bank/shared/policy.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { AppError } from '#server/lib/errors.ts'
import { type ScoringContext, buildProposal } from '#server/features/bank/candidates/build-proposal.ts'

interface AppliedLine {
  id: string
  orderNumbers: string[]
  allocationIds: string[]
}

interface ExactReply {
  applied: AppliedLine[]
  skipped: { id: string; message: string }[]
}

/** The orders that the line is proposed for. */
async function readProposedOrders(tx: Tx, lineId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`SELECT o.id::text FROM bank_lines l
    JOIN orders o ON o.order_number = ANY(l.proposed_orders) WHERE l.id = ${lineId}`)
  return rows.map(({ id }) => id)
}

/** The first candidate, if the policy allows it to be applied with others. Throws order_state with the reason. */
function requireExact(stored: StoredLine, scoring: ScoringContext) {
  const { candidates, obstacle } = buildProposal(stored, scoring)
  const [best] = candidates
  if (obstacle !== null || best?.kind !== 'order') throw new AppError('order_state', obstacle ?? 'No order fits')
  if (!scoring.policy.autoApply) throw new AppError('policy_off', allocationTexts.policyOff)
  return best
}

type ExactAllocation = { purpose: 'order'; orderId: string; amount: string }

/** Applies one line in its own transaction. Throws what keeps it from being applied. */
const applyOne = (
  ctx: Ctx,
  { id, version }: ApplyExact['lines'][number],
): Promise<AppliedLine & { allocations: ExactAllocation[] }> =>
  inTransaction(ctx, async (tx) => {
    const stored = (await lockLines(tx, [id])).get(id)!
    await requireWorkable(tx, ctx, stored, version)
    // Nobody changes the orders from here on, so what fits now is what is applied.
    const { orders, scoring } = await lockForScoring(tx, ctx, stored, await readProposedOrders(tx, id))
    const best = requireExact(stored, scoring)
    if (best.orders.length !== orders.size || best.orders.some((order) => !orders.has(order.id)))
      throw new AppError('order_state', 'Another order fits than was proposed: look again')
    const allocations = best.allocations.map(({ orderId, amount }) => ({ purpose: 'order' as const, orderId, amount }))
    const applied = await applyCredit(tx, ctx, { stored, lines: new Map(), orders, scoring }, { allocations }, 'exact')
    await recordApplied(tx, ctx, stored, applied, null)
    const orderNumbers = best.orders.map(({ orderNumber }) => orderNumber)
    return { id, orderNumbers, allocationIds: applied.allocationIds, allocations }
  })

/**
 * Applies one line, or requests it where a rule says so: as the call that applies the same allocations by hand (product 2.11). Null where
 * it was requested.
 */
async function applyOrRequest(ctx: Ctx, line: ApplyExact['lines'][number]): Promise<AppliedLine | null> {
  let allocations: ExactAllocation[] = []
  const outcome = await runOrRequest(ctx, {
    name: 'allocations.apply',
    action: 'apply_payment',
    given: () => ({ params: { id: line.id }, body: { allocations }, ifMatch: line.version }),
    findTarget: (db) => findLineTarget(db, line.id),
    run: async (inner) => {
      const { allocations: given, ...applied } = await applyOne(inner, line)
      allocations = given
      return applied
    },
  })
  return 'requested' in outcome ? null : outcome.reply
}

/** Lines before the one that failed stay applied, so the usual text that nothing was changed would be wrong. */
function toBreakOff(error: unknown, { applied }: ExactReply): unknown {
  if (applied.length === 0) return error
  const message = `${applied.length} of the lines are applied, then it broke off: look again, and apply the others`
  return new AppError('outcome_unknown', message, { retryAfter: 5, cause: error })
}

/**
 * Applies lines that fit exactly, as the operator who presses the button. What fits no longer is skipped, with the reason.
 * Throws policy_off, and outcome_unknown if it breaks off after the first.
 */
export async function applyExact(ctx: Ctx, { lines }: ApplyExact): Promise<ExactReply> {
  const { autoApply } = await readPolicyRow(ctx.database.db)
  if (!autoApply) throw new AppError('policy_off', allocationTexts.policyOff)
  const reply: ExactReply = { applied: [], skipped: [] }
  for (const line of lines) {
    try {
      const applied = await applyOrRequest(ctx, line)
      if (applied) reply.applied.push(applied)
      else reply.skipped.push({ id: line.id, message: approvalTexts.sent })
    } catch (error) {
      if (!(error instanceof AppError) || error.retryAfter !== undefined) throw toBreakOff(error, reply)
      reply.skipped.push({ id: line.id, message: error.message })
    }
  }
  return reply
}
