import { and, eq, sql } from 'drizzle-orm'
import { type ApprovalAction, approvalTexts } from '#contract/approvals.ts'
import type { ApprovalRequested, PlannedChange } from '#contract/schemas/approvals.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import { announce, audit, type AuditEntry } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { approvals } from '#server/db/tables/approvals.ts'
import { admins } from '#server/db/tables/auth.ts'
import { AppError, formatInstant } from '#server/lib/errors.ts'
import type { GivenCall, Target } from './approvable.ts'
import { expireDue } from './expire.ts'
import { readApproval } from './list.ts'
import { findRule, isCovered } from './rules.ts'

/** A call by an operator, before it is known whether it needs an approval. */
interface PlannedCall<Reply> {
  name: CallName
  action: ApprovalAction
  /** What the call was made with. Read once the change was tried. */
  given: () => GivenCall
  findTarget: (db: Db | Tx) => Promise<Target | null>
  run: (ctx: Ctx) => Promise<Reply>
}

/** Ends the trial of a change that needs an approval, so that nothing of it is stored. */
class TrialOver extends Error {
  readonly target: Target
  readonly changes: PlannedChange[]

  constructor(target: Target, changes: PlannedChange[]) {
    super('this change needs an approval')
    this.target = target
    this.changes = changes
  }
}

/**
 * Makes a change, or stores a request for it where a rule says that a second operator approves it. The change is tried
 * first, by the same code, and rolled back: so a request is refused for all that the change would be, and knows what
 * would change. Throws what the change throws, and approval_waiting for a second request.
 */
export async function runOrRequest<Reply>(
  ctx: Ctx,
  call: PlannedCall<Reply>,
): Promise<{ reply: Reply } | { requested: ApprovalRequested }> {
  const rule = await findRule(ctx, call.action)
  if (!rule) return { reply: await call.run(ctx) }
  return inTransaction(ctx, async (tx) => {
    const before = await call.findTarget(tx)
    try {
      const reply = await tx.transaction(async (trial) => {
        const changes: PlannedChange[] = []
        const reply = await call.run({ ...ctx, tx: trial, onAudit: (entry) => changes.push(toPlannedChange(entry)) })
        // The rows are locked now, so the amount is the one that the change is about.
        const after = await call.findTarget(trial)
        // What the change itself links counts, too; the name and the version are those of before.
        const target = before && after?.amount ? { ...before, amount: after.amount } : (before ?? after)
        // What changes nothing needs no approval.
        if (target && changes.length > 0 && isCovered(rule, after)) throw new TrialOver(target, changes)
        return reply
      })
      return { reply }
    } catch (error) {
      if (!(error instanceof TrialOver)) throw error
      return { requested: await writeRequest(tx, ctx, call, error) }
    }
  })
}

/** Leaves out what the change itself assigns, since the approval will assign another one. */
function toPlannedChange({ action, details: known, personal }: AuditEntry): PlannedChange {
  const details = { ...known, ...personal?.details }
  const { before, after } = details as { before?: Record<string, unknown>; after?: Record<string, unknown> }
  if (before?.['membershipId'] === after?.['membershipId']) return { action, details }
  return { action, details: { ...details, before: withoutId(before), after: withoutId(after) } }
}

const withoutId = (state: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(state).filter(([name]) => name !== 'membershipId'))

async function writeRequest<Reply>(
  tx: Tx,
  ctx: Ctx,
  { name, action, given: readGiven }: PlannedCall<Reply>,
  { target, changes }: TrialOver,
): Promise<ApprovalRequested> {
  await expireDue(tx, ctx)
  const given = readGiven()
  const [written] = await tx
    .insert(approvals)
    .values({
      action,
      call: name,
      params: (given.params ?? {}) as Record<string, unknown>,
      body: given.body ?? null,
      targetVersion: given.ifMatch ?? target.version,
      targetType: target.type,
      targetId: target.id,
      targetName: target.name,
      memberId: target.memberId ?? null,
      amount: target.amount ?? null,
      currency: target.currency ?? null,
      changes,
      requestedBy: adminOf(ctx).id,
      requestedFrom: ctx.ipAddress,
      expiresAt: sql`now() + make_interval(hours => ${ctx.config.approvalHours})`,
    })
    .onConflictDoNothing()
    .returning({ id: approvals.id })
  if (!written) throw await waitingError(tx, action, target)
  await audit(tx, ctx, {
    action: 'request_approval',
    target: { type: 'approval', id: written.id },
    details: { requested: action, target: { type: target.type, id: target.id } },
    personal: { memberId: target.memberId ?? null, details: { name: target.name } },
  })
  await announce(tx, 'approvals')
  return { message: approvalTexts.sent, approval: await readApproval(tx, ctx, written.id) }
}

/** The error for a second request of the same action on the same target. */
async function waitingError(tx: Tx, action: ApprovalAction, { type, id }: Target): Promise<AppError> {
  const [waiting] = await tx
    .select({ id: approvals.id, by: admins.username, at: approvals.requestedAt })
    .from(approvals)
    .innerJoin(admins, eq(admins.id, approvals.requestedBy))
    .where(
      and(
        eq(approvals.state, 'open'),
        eq(approvals.action, action),
        eq(approvals.targetType, type),
        eq(approvals.targetId, id),
      ),
    )
  const who = waiting ? ` (requested by ${waiting.by} on ${formatInstant(waiting.at)})` : ''
  return new AppError('approval_waiting', `This waits for an approval already${who}`, {
    details: { approvalId: waiting?.id, by: waiting?.by, at: waiting?.at },
  })
}
