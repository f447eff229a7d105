import { and, eq, inArray, sql } from 'drizzle-orm'
import { type ApprovalAction, approvalActions, readApprovalDesign } from '#contract/approvals.ts'
import { can, type Role, roleNames } from '#contract/permissions.ts'
import type { ApprovalRule, OwnRule, RuleChange } from '#contract/schemas/approvals.ts'
import { announce, audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { approvalRules } from '#server/db/tables/approvals.ts'
import { admins } from '#server/db/tables/auth.ts'
import { isActive, listStepUpRules } from '#server/features/auth/service.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { AppError, conflict, formatInstant, invalidField, requireVersion } from '#server/lib/errors.ts'
import type { Target } from './approvable.ts'

/** What nobody has set yet. */
const unset = {
  isOn: false,
  fromAmount: null,
  currency: null,
  roles: null,
  changedBy: null,
  changedAt: null,
  version: 1,
}

type StoredRule = typeof approvalRules.$inferSelect | (typeof unset & { action: ApprovalAction })

export async function readRule(db: Db | Tx, action: ApprovalAction): Promise<StoredRule> {
  const [row] = await db.select().from(approvalRules).where(eq(approvalRules.action, action))
  return row ?? { action, ...unset }
}

/** The roles whose operators may do an action. */
const listAble = ({ roles }: Ctx, action: ApprovalAction): Role[] =>
  roleNames.filter((role) => readApprovalDesign(action).decide.every((permission) => can({ role }, permission, roles)))

const toRule = (ctx: Ctx, stored: StoredRule): ApprovalRule => ({ ...stored, able: listAble(ctx, stored.action) })

/** The rule of each action, in the order of the contract. */
export async function listRules(ctx: Ctx) {
  const { database, config } = ctx
  const rows = new Map((await database.db.select().from(approvalRules)).map((row) => [row.action, row]))
  const rules = approvalActions.map((action) => toRule(ctx, rows.get(action) ?? { action, ...unset }))
  return { rules, expiryHours: config.approvalHours, stepUp: await listStepUpRules(database.db) }
}

/** The rules that the admin's own changes fall under: of what the admin may do. */
export async function listOwnRules(ctx: Ctx): Promise<OwnRule[]> {
  const { role } = adminOf(ctx)
  const rows = await ctx.database.db.select().from(approvalRules).where(eq(approvalRules.isOn, true))
  return rows
    .filter((rule) => isForRole(rule, role) && listAble(ctx, rule.action).includes(role))
    .map(({ action, fromAmount, currency }) => ({ action, fromAmount, currency }))
}

const isForRole = ({ roles }: StoredRule, role: Role) => roles === null || roles.includes(role)

/** The rule that the actor's action may fall under. Null where it needs no approval, whatever it is about. */
export async function findRule({ actor, database }: Ctx, action: ApprovalAction): Promise<StoredRule | null> {
  // The platform, commands and jobs are no operators.
  if (actor.kind !== 'admin') return null
  const rule = await readRule(database.db, action)
  return rule.isOn && isForRole(rule, actor.role) ? rule : null
}

/** Whether a rule covers this amount. What cannot be compared is covered. */
export function isCovered({ fromAmount, currency }: StoredRule, target: Target | null): boolean {
  if (fromAmount === null || target?.amount === undefined || target.currency !== currency) return true
  return toUnits(target.amount) >= toUnits(fromAmount)
}

function tidyChange(action: ApprovalAction, given: RuleChange): RuleChange {
  const { fromAmount, currency, roles } = given
  if (!readApprovalDesign(action).hasAmount && (fromAmount !== null || currency !== null))
    throw invalidField('fromAmount', 'this action has no amount')
  if ((fromAmount === null) !== (currency === null))
    throw invalidField(fromAmount === null ? 'fromAmount' : 'currency', 'an amount and its currency go together')
  return {
    isOn: given.isOn,
    fromAmount: fromAmount && fromUnits(toUnits(fromAmount)),
    currency,
    roles: roles && roleNames.filter((role) => roles.includes(role)),
  }
}

/** Throws approver_missing where fewer than two operators may do what the rule is about: nobody could approve. */
async function requireApprovers(tx: Tx, ctx: Ctx, action: ApprovalAction) {
  const { label } = readApprovalDesign(action)
  const count = await tx.$count(admins, and(isActive(ctx.config), inArray(admins.role, listAble(ctx, action))))
  if (count < 2)
    throw conflict('approver_missing', `“${label}” needs two active operators who may do it; invite a second one first`)
}

const pickChange = ({ isOn, fromAmount, currency, roles }: RuleChange): RuleChange => ({
  isOn,
  fromAmount,
  currency,
  roles,
})

/**
 * Sets whether an action needs an approval (product 2.11). Throws invalid, stale, and approver_missing where a rule
 * that is on would leave nobody to approve. Who changes a rule that is on is seen among the security events.
 */
export const saveRule = (
  ctx: Ctx,
  action: ApprovalAction,
  given: RuleChange,
  ifMatch: number | undefined,
): Promise<ApprovalRule> =>
  inTransaction(ctx, async (tx) => {
    const change = tidyChange(action, given)
    await lockInTransaction(tx, 'approval_rules')
    const before = await readRule(tx, action)
    requireVersion(ifMatch, before.version, () => staleError(before))
    const details = { rule: action, before: pickChange(before), after: change }
    if (JSON.stringify(details.before) === JSON.stringify(change)) return toRule(ctx, before)
    if (change.isOn) await requireApprovers(tx, ctx, action)
    const changedBy = adminOf(ctx).name
    const written = { ...change, changedBy, version: before.version + 1 }
    const [after] = await tx
      .insert(approvalRules)
      .values({ action, ...written })
      .onConflictDoUpdate({ target: approvalRules.action, set: { ...written, changedAt: sql`now()` } })
      .returning()
    await audit(tx, ctx, { action: 'set_approval_rule', target: { type: 'approval_rule', id: action }, details })
    await raiseSecurityEvent(tx, ctx, {
      severity: before.isOn ? 'high' : 'medium',
      type: 'approval_rule_changed',
      description: `${changedBy} has changed the approval rule “${readApprovalDesign(action).label}”`,
      details: { by: changedBy, ...details },
    })
    await announce(tx, 'approvals')
    return toRule(ctx, after!)
  })

function staleError({ version, changedBy, changedAt }: StoredRule): AppError {
  const who = changedBy && changedAt ? `, by ${changedBy} on ${formatInstant(changedAt)}` : ''
  return new AppError('stale', `This rule was changed meanwhile${who}. Look again and decide.`, {
    details: { version },
  })
}

/** A rule as the target of a request to change it. */
export async function findRuleTarget(db: Db | Tx, action: ApprovalAction): Promise<Target> {
  const { version } = await readRule(db, action)
  return { type: 'approval_rule', id: action, name: readApprovalDesign(action).label, version }
}
