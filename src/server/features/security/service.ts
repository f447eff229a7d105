import { and, count, desc, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { QueryOf, ReplyOf } from '#contract/route.ts'
import { actionFamilies, otherActions, type securityRoutes } from '#contract/security.ts'
import type { Ctx } from '#server/context.ts'
import { auditLog, securityEvents } from '#server/db/tables/security.ts'
import { invalidField } from '#server/errors.ts'

type Events = typeof securityRoutes.events
type Logs = typeof securityRoutes.logs

const countOf = async ({ database }: Ctx, table: PgTable, condition: SQL | undefined) => {
  const [row] = await database.db.select({ total: count() }).from(table).where(condition)
  return row!.total
}

/** Security events, newest first; `total` counts all that the filters let through (SPEC section 2, Security). */
export async function listEvents(
  ctx: Ctx,
  { page, limit, severity, resolved }: QueryOf<Events>,
): Promise<ReplyOf<Events>> {
  const { resolvedAt } = securityEvents
  const condition = and(
    severity && eq(securityEvents.severity, severity),
    resolved && (resolved === 'true' ? isNotNull(resolvedAt) : isNull(resolvedAt)),
  )
  const walk = ctx.database.db
    .select()
    .from(securityEvents)
    .where(condition)
    .orderBy(desc(securityEvents.createdAt), desc(securityEvents.id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [rows, total] = await Promise.all([walk, countOf(ctx, securityEvents, condition)])
  return { events: rows.map((row) => ({ ...row, resolved: row.resolvedAt !== null })), total, page, limit }
}

const families = new Map<string, readonly string[]>(
  Object.entries(actionFamilies).map(([name, family]) => [name, family.actions]),
)
const singleActions = new Set<string>([...otherActions, ...[...families.values()].flat()])

/** The actions that a filter covers: a family's name covers its family, any other action itself. */
function actionsOf(action: string): readonly string[] {
  const covered = families.get(action) ?? (singleActions.has(action) ? [action] : undefined)
  if (!covered)
    throw invalidField('action', `must be one of ${[...new Set([...families.keys(), ...singleActions])].join(', ')}`)
  return covered
}

/** What operators did, newest first. Throws invalid for an action that does not exist. */
export async function listLogs(ctx: Ctx, { page, limit, action }: QueryOf<Logs>): Promise<ReplyOf<Logs>> {
  const isFiltered = action !== undefined && action !== '' && action !== 'all'
  const condition = isFiltered ? inArray(auditLog.action, [...actionsOf(action)]) : undefined
  const walk = ctx.database.db
    .select()
    .from(auditLog)
    .where(condition)
    .orderBy(desc(auditLog.createdAt), desc(auditLog.id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [rows, total] = await Promise.all([walk, countOf(ctx, auditLog, condition)])
  return { logs: rows.map((row) => ({ ...row, actor: row.actorName })), total, page, limit }
}
