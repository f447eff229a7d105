import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type BulkAction, readBulkDesign } from '#contract/bulk.ts'
import { MessagesQuery } from '#contract/schemas/messages.ts'
import { VerificationsQuery } from '#contract/schemas/kyc-reviews.ts'
import { OrdersQuery } from '#contract/schemas/orders.ts'
import { EventsQuery } from '#contract/schemas/security.ts'
import { MembersQuery } from '#contract/schemas/members.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { type IdForm, platformIds, rowIds } from '#server/db/list-rows.ts'
import type { ListRequest } from '#server/db/list.ts'
import { messageAttempts } from '#server/db/tables/messages.ts'
import { runOrRequest, type Target } from '#server/features/approvals/service.ts'
import {
  buildVerificationList,
  countIncompleteCases,
  decideMemberKyc,
  findCaseTarget,
  findResettable,
  isResettable,
  reviewVerification,
} from '#server/features/kyc/service.ts'
import { buildMessageList, resendSelection } from '#server/features/messages/service.ts'
import { buildOrderList, findOrderTarget, setOrderStatus, waitingLines } from '#server/features/orders/service.ts'
import { buildEventList, resolveEvent } from '#server/features/security/service.ts'
import { banMember, buildMemberList, findMemberTarget, unbanMember } from '#server/features/members/service.ts'
import { AppError, invalidField, requireVersion } from '#server/lib/errors.ts'

/** The rows of a list as those of a job. Expressions are over the list's row, `t`. */
interface BulkList {
  /** All rows of the list that a query of its call shows. Throws invalid. */
  build: (query: Record<string, string>) => ListRequest
  ids: IdForm
  version: string
  memberId: string
  label: string
  /** Of rows that are money. */
  amount?: string
}

/** One row of a job, when it is its turn. */
export interface BulkRow {
  entityId: string
  /** The version that it had when the job was prepared. */
  version: number | null
}

interface BulkVerb {
  list: BulkList
  /** Whether it can be done to the row as it is now. */
  isReady: string
  /** How many of these rows have what speaks against it. */
  countDoubtful?: (tx: Tx, ids: SQL) => Promise<number>
  /** Does it to one row, by the verb of the single call. Returns the id of the request where a rule asks for one. */
  change: (ctx: Ctx, row: BulkRow, reason: string | null) => Promise<string | null>
}

function readQuery<Query extends z.ZodMiniObject>(schema: Query, given: Record<string, string>): z.output<Query> {
  const unknown = Object.keys(given).find((name) => !(name in schema.shape))
  const parsed = schema.safeParse(given)
  if (unknown !== undefined) throw invalidField('filter', `${unknown} is not a filter of this list`)
  if (!parsed.success) throw invalidField('filter', 'must be the query of the list')
  return parsed.data
}

const row = { ids: rowIds, version: 't.version' } as const
const byMember = { memberId: 't.member_id', label: 'NULL' } as const

const members: BulkList = {
  build: (query) => buildMemberList(readQuery(MembersQuery, query)),
  ids: platformIds,
  version: 't.version',
  memberId: 't.id',
  label: 'NULL',
}
const cases: BulkList = {
  ...row,
  ...byMember,
  build: (query) => buildVerificationList(readQuery(VerificationsQuery, query)),
}
const orders: BulkList = {
  ...row,
  ...byMember,
  build: (query) => buildOrderList(readQuery(OrdersQuery, query)),
  label: 't.order_number',
  amount: 't.investment_amount',
}
const isOpenOrder = `t.status = 'waiting_payment' AND t.expires_at > now() AND t.received = 0`
const { select: messageColumns } = buildMessageList({}).list
/** A message has no version. It is another one after a further try. Events of one entity go out in their order. */
const messages: BulkList = {
  ...row,
  build: (query) => buildMessageList({ ...readQuery(MessagesQuery, query), sort: 'oldest' }),
  version: '(SELECT count(*)::int FROM message_attempts AS c WHERE c.message_id = t.id)',
  memberId: `CASE WHEN t.entity_type = 'member' THEN t.entity_id END`,
  label: 't.type',
}
const events: BulkList = {
  ...row,
  build: (query) => buildEventList(readQuery(EventsQuery, query)),
  memberId: 'NULL',
  label: 't.event_type',
}

/** Counts those of some rows of a list for which a condition is true. */
export const countWhere = (list: BulkList, condition: string) => async (tx: Tx, ids: SQL) => {
  const from = sql.raw(`FROM ${list.build({}).list.table} t WHERE (${condition})`)
  const { rows } = await tx.execute<{ count: number }>(sql`SELECT count(*)::int AS count ${from} AND t.id IN (${ids})`)
  return rows[0]!.count
}

/** What the single call would be made with. */
interface GivenCall {
  name: CallName
  params: Record<string, string>
  body: Record<string, unknown>
}

/** A change that a rule may send to a second operator, as `mountApprovable` does for the single call. */
const approvable =
  (
    action: BulkAction,
    describe: (id: string, reason: string | null) => GivenCall,
    findTarget: (db: Db | Tx, id: string) => Promise<Target | null>,
    run: (ctx: Ctx, id: string, reason: string | null, ifMatch: number) => Promise<unknown>,
  ): BulkVerb['change'] =>
  async (ctx, { entityId: id, version }, reason) => {
    const { name, ...given } = describe(id, reason)
    const outcome = await runOrRequest(ctx, {
      name,
      // Each of these has a rule.
      action: readBulkDesign(action).approval!,
      given: () => ({ ...given, ifMatch: version! }),
      findTarget: (db) => findTarget(db, id),
      run: (inner) => run(inner, id, reason, version!),
    })
    return 'requested' in outcome ? outcome.requested.approval.id : null
  }

const review = (action: 'approve_cases' | 'reject_cases'): BulkVerb['change'] => {
  const decision = action === 'approve_cases' ? ('approve' as const) : ('reject' as const)
  const toBody = (reason: string | null) => ({
    action: decision,
    ...(reason !== null && (decision === 'approve' ? { adminNotes: reason } : { rejectionReason: reason })),
  })
  return approvable(
    action,
    (id, reason) => ({ name: 'kycReviews.review', params: { id }, body: toBody(reason) }),
    findCaseTarget,
    (ctx, id, reason, ifMatch) => reviewVerification(ctx, id, toBody(reason), ifMatch),
  )
}

/** As from the member's page: what it was decided on is the member. */
const resetMember = approvable(
  'reset_cases',
  (id, adminNotes) => ({ name: 'members.decideKyc', params: { id, action: 'reset' }, body: { adminNotes } }),
  findMemberTarget,
  (ctx, id, adminNotes, ifMatch) => decideMemberKyc(ctx, id, { action: 'reset', adminNotes }, ifMatch),
)

const setStatus = (action: 'mark_orders_paid' | 'cancel_orders', status: 'paid' | 'cancelled') =>
  approvable(
    action,
    (id, notes) => ({ name: 'orders.setStatus', params: { id }, body: { status, notes } }),
    findOrderTarget,
    (ctx, id, notes, ifMatch) => setOrderStatus(ctx, id, { status, notes }, ifMatch),
  )

/** Throws stale after a further try. */
async function requireUntried({ tx, database }: Ctx, id: string, version: number | null): Promise<void> {
  const present = await (tx ?? database.db).$count(messageAttempts, eq(messageAttempts.messageId, id))
  requireVersion(version ?? undefined, present, () => {
    const message = 'This message was tried meanwhile. Look again and decide.'
    return new AppError('stale', message, { details: { version: present } })
  })
}

export const bulkVerbs: Record<BulkAction, BulkVerb> = {
  ban_users: {
    list: members,
    isReady: 'NOT t.banned AND t.erased_at IS NULL',
    change: approvable(
      'ban_users',
      (id, reason) => ({ name: 'members.ban', params: { id }, body: { reason } }),
      findMemberTarget,
      (ctx, id, reason, ifMatch) => banMember(ctx, id, { reason, ifMatch }),
    ),
  },
  unban_users: {
    list: members,
    isReady: 't.banned AND t.erased_at IS NULL',
    change: approvable(
      'unban_users',
      (id) => ({ name: 'members.unban', params: { id }, body: {} }),
      findMemberTarget,
      (ctx, id, _reason, ifMatch) => unbanMember(ctx, id, ifMatch),
    ),
  },
  approve_cases: {
    list: cases,
    isReady: `t.status = 'pending'`,
    countDoubtful: countIncompleteCases,
    change: review('approve_cases'),
  },
  reject_cases: { list: cases, isReady: `t.status = 'pending'`, change: review('reject_cases') },
  reset_cases: {
    list: { ...cases, version: '(SELECT m.version FROM members m WHERE m.id = t.member_id)' },
    isReady: isResettable,
    change: (ctx, { entityId: id, version }, notes) =>
      inTransaction(ctx, async (tx) =>
        resetMember({ ...ctx, tx }, { entityId: await findResettable(tx, id), version }, notes),
      ),
  },
  mark_orders_paid: {
    list: orders,
    isReady: isOpenOrder,
    countDoubtful: countWhere(orders, `(${waitingLines}) > 0`),
    change: setStatus('mark_orders_paid', 'paid'),
  },
  cancel_orders: { list: orders, isReady: isOpenOrder, change: setStatus('cancel_orders', 'cancelled') },
  resend_messages: {
    list: messages,
    isReady: messageColumns['canResend']!,
    countDoubtful: countWhere(messages, messageColumns['isSuperseded']!),
    async change(ctx, { entityId, version }) {
      await (ctx.tx ?? ctx.database.db).execute(sql`SELECT FROM messages WHERE id = ${entityId} FOR NO KEY UPDATE`)
      await requireUntried(ctx, entityId, version)
      await resendSelection(ctx, { ids: [entityId] })
      return null
    },
  },
  resolve_events: {
    list: events,
    isReady: 't.resolved_at IS NULL',
    async change(ctx, { entityId, version }, note) {
      await resolveEvent(ctx, entityId, { note, ifMatch: version! })
      return null
    },
  },
}
