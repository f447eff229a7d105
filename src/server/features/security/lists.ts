import { actionFamilies } from '#contract/security.ts'
import type { AdminLog, EventsQuery, ListedEvent, LogsQuery, SecurityFigures } from '#contract/schemas/security.ts'
import type { Ctx } from '#server/core/context.ts'
import { declareCounts } from '#server/db/counts.ts'
import { filterDays } from '#server/db/list-rows.ts'
import { type ListRequest, type ListDesign, type ListFilter, dateOrders, readList } from '#server/db/list.ts'
import { expressions, instant, jsonObject } from '#server/db/select.ts'
import { auditLog, securityEvents } from '#server/db/tables/security.ts'
import { invalidField } from '#server/lib/errors.ts'
import { memberRefColumns } from '#server/features/members/service.ts'

/** SQL: whether two aliases of `security_events` are unresolved and say the same. An index has the hash of the description. */
const isEqualEvent = (one: string, other: string) =>
  `${one}.resolved_at IS NULL AND ${one}.event_type = ${other}.event_type AND ${one}.severity = ${other}.severity
    AND md5(${one}.description) = md5(${other}.description)`

/** An event as the contract names it. `details` stay in the database, and `resolved` follows from `resolvedAt`. */
export const eventColumns = {
  id: securityEvents.id,
  severity: securityEvents.severity,
  eventType: securityEvents.eventType,
  description: securityEvents.description,
  ipAddress: securityEvents.ipAddress,
  resolvedBy: securityEvents.resolvedBy,
  resolvedAt: securityEvents.resolvedAt,
  resolutionNote: securityEvents.resolutionNote,
  createdAt: securityEvents.createdAt,
  version: securityEvents.version,
}

const events = declareCounts({
  name: 'security_events',
  table: securityEvents,
  at: securityEvents.createdAt,
  by: {
    severity: securityEvents.severity,
    resolved: { true: 't.resolved_at IS NOT NULL', false: 't.resolved_at IS NULL' },
  },
})

const eventList: ListDesign = {
  ...events.list,
  select: { ...expressions(eventColumns, 't'), resolved: 't.resolved_at IS NOT NULL' },
}

const togetherList: ListDesign = {
  ...eventList,
  select: {
    ...eventList.select,
    equal: `(SELECT count(*)::int FROM security_events n WHERE ${isEqualEvent('n', 't')})`,
  },
}

/** The newest of equal events. */
const newestOfEqual: ListFilter = {
  rows: `t.resolved_at IS NULL AND NOT EXISTS (SELECT FROM security_events n WHERE ${isEqualEvent('n', 't')} AND n.id > t.id)`,
  leaves: null,
}

export const buildEventList = ({
  severity,
  resolved,
  together,
  sort = 'newest',
  ...days
}: Partial<EventsQuery>): ListRequest => ({
  list: { ...(together ? togetherList : eventList), order: dateOrders[sort] },
  filters: [events.filter({ severity, resolved }), ...(together ? [newestOfEqual] : []), ...filterDays(days)],
})

/** Security events, newest first. `total` counts all that match the filters (product 5.12, Security). */
export async function listEvents({ reads }: Ctx, query: EventsQuery) {
  const { rows: events, ...rest } = await readList<ListedEvent>(reads, buildEventList(query), query)
  return { events, ...rest }
}

const figures = `
  SELECT coalesce(sum(rows), 0)::int AS total,
    coalesce(sum(rows) FILTER (WHERE ${events.leaves({ severity: 'critical' })}), 0)::int AS critical,
    coalesce(sum(rows) FILTER (WHERE ${events.leaves({ severity: 'high' })}), 0)::int AS high,
    coalesce(sum(rows) FILTER (WHERE ${events.leaves({ resolved: 'false' })}), 0)::int AS unresolved
  FROM ${events.all} counted`

/** The counts of the four cards, exact at any size of the table. */
export async function readSecurityFigures({ database }: Ctx): Promise<SecurityFigures> {
  const { rows } = await database.pool.query<SecurityFigures>({ name: 'security_figures', text: figures })
  return rows[0]!
}

/** The number of unresolved critical events (product 3.6). */
export async function countCritical({ database }: Ctx): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>({ name: 'security_critical', text: unresolvedCritical })
  return rows[0]!.count
}

const unresolvedCritical = `
  SELECT coalesce(sum(rows), 0)::int AS count
  FROM ${events.all} counted WHERE ${events.leaves({ severity: 'critical', resolved: 'false' })}`

/** When the oldest unresolved critical event came; null without one. */
export async function readOldestCritical({ database }: Ctx): Promise<string | null> {
  const text = `SELECT ${instant('min(created_at)')} AS at FROM security_events WHERE resolved_at IS NULL AND severity = 'critical'`
  const { rows } = await database.pool.query<{ at: string | null }>({ name: 'security_critical_oldest', text })
  return rows[0]!.at
}

const { id, action, actorName, targetType, targetId, ipAddress, createdAt } = auditLog

/** Without a filter, platform calls do not crowd out what operators did. */
const logs = declareCounts({
  name: 'audit_log',
  table: auditLog,
  at: createdAt,
  by: { action, by: { operators: "t.action <> 'platform_call'", platform: "t.action = 'platform_call'" } },
})

const logList: ListDesign = {
  ...logs.list,
  select: {
    ...expressions({ id, action, actor: actorName, targetType, targetId, ipAddress, createdAt }, 't'),
    details: 'audit_details(t.id, t.details)',
    targetMember: `CASE WHEN m.id IS NOT NULL THEN ${jsonObject(memberRefColumns, 'm')} END`,
  },
  join: `LEFT JOIN members m ON t.target_type = 'user' AND m.id = t.target_id`,
}

const families = new Map<string, readonly string[]>(
  Object.entries(actionFamilies).map(([name, family]) => [name, family.actions]),
)
const singleActions = new Set<string>([...families.values()].flat())

/** Filters by a family of actions, or by one action. */
function actionFilter(wanted: string): ListFilter {
  const covered = families.get(wanted) ?? (singleActions.has(wanted) ? [wanted] : undefined)
  if (!covered)
    throw invalidField('action', `must be one of ${[...new Set([...families.keys(), ...singleActions])].join(', ')}`)
  return logs.filter({ action: covered })
}

/** What an account did. An index has its rows and their actions, so that they are counted without the table. */
function actorFilter(value: string): ListFilter {
  const isActor = 'lower(t.actor_name) = lower($value)'
  const isKey = value.toLowerCase().startsWith('platform:')
  return { rows: isKey ? isActor : `${isActor} AND t.action <> 'platform_call'`, leaves: null, value }
}

/**
 * What was done to an order, a member or another thing. The types of targets are few: each is asked for by the index of targets. What
 * the platform's calls only repeat is left out.
 */
const targetFilter = (value: string): ListFilter => ({
  rows: `t.action <> 'platform_call' AND t.id = ANY (ARRAY(
    WITH RECURSIVE types AS (
      SELECT min(target_type) AS type FROM audit_log
      UNION ALL SELECT (SELECT min(a.target_type) FROM audit_log a WHERE a.target_type > types.type) FROM types WHERE type IS NOT NULL
    ), named AS (
      SELECT type, $value AS id FROM types
      UNION SELECT 'order', o.id::text FROM orders o WHERE o.order_number = $value
      UNION SELECT 'bank_line', p.line_id::text FROM orders o JOIN bank_allocations p ON p.order_id = o.id WHERE o.order_number = $value
      UNION SELECT 'user', m.id FROM members m WHERE m.membership_id = upper($value) OR lower(m.email) = lower($value)
    )
    SELECT a.id FROM named JOIN audit_log a ON a.target_type = named.type AND a.target_id = named.id))`,
  leaves: null,
  value,
})

/** Rows that show a fault of the last verification. A hundred at most, so that their ids are looked up. */
const alteredFilter: ListFilter = {
  rows: `t.id = ANY (ARRAY(
    SELECT (f->>'shownAt')::bigint FROM settings AS s, jsonb_array_elements(s.value->'faults') AS f
    WHERE s.name = 'audit_verification' AND f->>'shownAt' IS NOT NULL))`,
  leaves: null,
}

/** A row and what is older, in the list's order. */
const upToFilter = (id: string): ListFilter => ({
  rows: '(t.created_at, t.id) <= ((SELECT r.created_at FROM audit_log AS r WHERE r.id = $value::bigint), $value::bigint)',
  leaves: null,
  value: id,
})

/** Without an action, all but platform calls, unless a platform key or certain rows are asked for. Throws invalid for an unknown action. */
export function buildLogList(query: Partial<LogsQuery>): ListRequest {
  const { action: wanted, upTo, altered, sort = 'newest' } = query
  const [actor, target] = [query.actor?.trim(), query.target?.trim()]
  const filters = actor ? [actorFilter(actor)] : []
  if (target) filters.push(targetFilter(target))
  if (wanted && wanted !== 'all') filters.push(actionFilter(wanted))
  if (upTo) filters.push(upToFilter(upTo))
  if (altered) filters.push(alteredFilter)
  const chosen = filters.length > 0 ? filters : [logs.filter({ by: 'operators' })]
  return { list: { ...logList, order: dateOrders[sort] }, filters: [...chosen, ...filterDays(query)] }
}

/** What operators did, newest first. Throws invalid for an unknown action. */
export async function listLogs({ reads }: Ctx, query: LogsQuery) {
  const { rows: logs, ...rest } = await readList<AdminLog>(reads, buildLogList(query), query)
  return { logs, ...rest }
}
