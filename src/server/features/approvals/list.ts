import { sql } from 'drizzle-orm'
import { type ApprovalAction, approvalActions, readApprovalDesign } from '#contract/approvals.ts'
import { can, type Permission, type Role } from '#contract/permissions.ts'
import type { Approval, ApprovalsQuery } from '#contract/schemas/approvals.ts'
import { adminOf, type Ctx, hasPermission } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { buildCondition } from '#server/db/list-rows.ts'
import { type ListDesign, type ListFilter, type ListRequest, readList } from '#server/db/list.ts'
import { expressions, instant, selectColumns } from '#server/db/select.ts'
import { approvals } from '#server/db/tables/approvals.ts'
import { notFound } from '#server/lib/errors.ts'
import { RowId } from '#contract/schemas/common.ts'

const { id, action, memberId, amount, currency, changes, requestedAt, expiresAt, comment, failure } = approvals

export const describeLeftRequester = (name: string) =>
  `${name}, who has requested this, may not do it any more; decline it`
const describeDisabledRequester = (name: string) =>
  `${name}, who has requested this, has been disabled since; decline it, and let it be requested again`

/** A request that is over its time is expired, also before the job marks it. */
const isOver = `t.state = 'open' AND t.expires_at <= now()`

/** A request that has ended by others, and who has requested it has not opened it since. */
const isUnseen = `t.seen_at IS NULL AND t.state NOT IN ('open', 'withdrawn')`

const approvalList: ListDesign = {
  table: 'approvals',
  at: 'requested_at',
  select: {
    ...expressions({ id, action, memberId, amount, currency, changes, requestedAt, expiresAt, comment, failure }, 't'),
    state: `CASE WHEN ${isOver} THEN 'expired' ELSE t.state END`,
    target: `json_build_object('type', t.target_type, 'id', t.target_id, 'name', t.target_name)`,
    isSeen: `NOT (${isUnseen})`,
    requesterId: 't.requested_by::text',
    requesterRole: 'r.role',
    // Also of one who was enabled again: what was asked for before may not be the operator's own.
    wasDisabled: 'r.disabled_at IS NOT NULL OR coalesce(r.last_disabled_at >= t.requested_at, false)',
    requestedBy: 'r.username',
    decidedBy: 'd.username',
    closedAt: `CASE WHEN ${isOver} THEN ${instant('t.expires_at')} ELSE ${instant('t.closed_at')} END`,
  },
  join: 'JOIN admins r ON r.id = t.requested_by LEFT JOIN admins d ON d.id = t.decided_by',
}

type ApprovalRow = Omit<Approval, 'isOwn' | 'canDecide' | 'approvalProblem'> & {
  requesterId: string
  requesterRole: Role
  wasDisabled: boolean
}

const hasAll = (ctx: Ctx, permissions: readonly Permission[]) =>
  permissions.every((permission) => hasPermission(ctx, permission))
const mayDecide = (ctx: Ctx, action: ApprovalAction) => hasAll(ctx, readApprovalDesign(action).decide)

/** Whether the admin may see requests for an action, which hold what the page of their target shows. */
const mayView = (ctx: Ctx, action: ApprovalAction): boolean => hasAll(ctx, readApprovalDesign(action).view)

/** Whether a request is about the admin's own account, which nobody approves for themselves. */
export const isAbout = ({ type, id: targetId }: Approval['target'], adminId: string): boolean =>
  type === 'admin' && targetId === adminId

/** Why nobody can approve a request, in a sentence: what its requester may not do, nobody approves. */
function describeProblem({ roles }: Ctx, row: ApprovalRow): string | null {
  const { requestedBy, requesterRole: role, wasDisabled, action, state } = row
  if (state !== 'open') return null
  if (wasDisabled) return describeDisabledRequester(requestedBy)
  return readApprovalDesign(action).decide.every((each) => can({ role }, each, roles))
    ? null
    : describeLeftRequester(requestedBy)
}

function toApproval(ctx: Ctx, row: ApprovalRow): Approval {
  const { requesterId, requesterRole: _role, wasDisabled: _wasDisabled, ...shown } = row
  const { id: adminId } = adminOf(ctx)
  const isOwn = requesterId === adminId
  const canDecide = row.state === 'open' && !isOwn && !isAbout(row.target, adminId) && mayDecide(ctx, row.action)
  return { ...shown, isOwn, canDecide, approvalProblem: describeProblem(ctx, row) }
}

/** A condition that holds for these actions alone. */
function isOneOf(actions: readonly ApprovalAction[]): string {
  return actions.length === 0 ? 'false' : `t.action IN (${actions.map((each) => `'${each}'`).join(', ')})`
}

const stateConditions: Partial<Record<NonNullable<ApprovalsQuery['state']>, string>> = {
  open: `t.state = 'open' AND t.expires_at > now()`,
  expired: `t.state = 'expired' OR (${isOver})`,
}

function listFilters(ctx: Ctx, asked: Partial<ApprovalsQuery>): ListFilter[] {
  const { state, view, targetType, targetId } = asked
  const { id: adminId } = adminOf(ctx)
  const decidable = isOneOf(approvalActions.filter((each) => mayDecide(ctx, each)))
  const filters: (Omit<ListFilter, 'leaves'> | false | undefined | '')[] = [
    { rows: isOneOf(approvalActions.filter((each) => mayView(ctx, each))) },
    asked.action && { rows: `t.action = '${asked.action}'` },
    state && { rows: stateConditions[state] ?? `t.state = '${state}'` },
    view === 'own' && { rows: 't.requested_by = $value::bigint', value: adminId },
    view === 'others' && {
      rows: `t.requested_by <> $value::bigint AND NOT (t.target_type = 'admin' AND t.target_id = $value::bigint::text) AND ${decidable}`,
      value: adminId,
    },
    view === 'answered' && { rows: `t.requested_by = $value::bigint AND ${isUnseen}`, value: adminId },
    targetType && { rows: `t.target_type = '${targetType}'` },
    targetId && { rows: 't.target_id = $value', value: targetId },
  ]
  // There are few: whatever waits, and what was decided. So they are counted row by row.
  return filters.filter((each) => typeof each === 'object').map((each) => ({ ...each, leaves: null }))
}

const buildApprovalList = (ctx: Ctx, asked: Partial<ApprovalsQuery>): ListRequest => ({
  list: approvalList,
  filters: listFilters(ctx, asked),
})

/** Requests whose target the admin may view, newest first. */
export async function listApprovals(ctx: Ctx, query: ApprovalsQuery) {
  const { rows, ...rest } = await readList<ApprovalRow>(ctx.reads, buildApprovalList(ctx, query), query)
  return { approvals: rows.map((row) => toApproval(ctx, row)), ...rest }
}

/** The number of requests that wait for the admin's decision (product 3.6). */
export const countWaitingApprovals = (ctx: Ctx): Promise<number> =>
  countApprovals(ctx, { state: 'open', view: 'others' })

/** When the oldest of the requests that wait for the admin's decision was made; null without one. */
export async function readOldestApproval(ctx: Ctx): Promise<string | null> {
  const { condition, values } = buildCondition(buildApprovalList(ctx, { state: 'open', view: 'others' }))
  const text = `SELECT ${instant('min(t.requested_at)')} AS at FROM approvals t WHERE ${condition}`
  const { rows } = await ctx.database.pool.query<{ at: string | null }>({ text, values })
  return rows[0]!.at
}

/** The number of the admin's own requests whose end the admin has not seen yet (product 3.6). */
export const countAnsweredRequests = (ctx: Ctx): Promise<number> => countApprovals(ctx, { view: 'answered' })

async function countApprovals(ctx: Ctx, asked: Partial<ApprovalsQuery>): Promise<number> {
  const { condition, values } = buildCondition(buildApprovalList(ctx, asked))
  const text = `SELECT count(*)::int AS count FROM approvals t WHERE ${condition}`
  const { rows } = await ctx.database.pool.query<{ count: number }>({ text, values })
  return rows[0]!.count
}

/** One request. Throws not_found, also for one that the admin may not view. */
export async function readApproval(db: Db | Tx, ctx: Ctx, approvalId: string): Promise<Approval> {
  if (!RowId.safeParse(approvalId).success) throw notFound('Request')
  const { rows } = await db.execute<Record<string, unknown>>(
    sql`${sql.raw(`SELECT ${selectColumns(approvalList.select)} FROM approvals t ${approvalList.join}`)} WHERE t.id = ${approvalId}`,
  )
  // The selected columns are those of the contract.
  const row = rows[0] as unknown as ApprovalRow | undefined
  if (!row || !mayView(ctx, row.action)) throw notFound('Request')
  return toApproval(ctx, row)
}

export const getApproval = (ctx: Ctx, approvalId: string): Promise<Approval> =>
  readApproval(ctx.database.db, ctx, approvalId)
