import { createHash } from 'node:crypto'
import type { Permission } from '#contract/permissions.ts'
import type { Note } from '#contract/schemas/notes.ts'
import type { Activity, ActivityEntry, ActivityQuery } from '#contract/schemas/activity.ts'
import { noteTables } from '#server/features/notes/service.ts'
import { adminOf, type Ctx, hasPermission } from '#server/core/context.ts'
import { instant } from '#server/db/select.ts'
import { notFound } from '#server/lib/errors.ts'
import { memberSources } from './member-sources.ts'
import { orderSources } from './order-sources.ts'
import { noteObject, type Source } from './source.ts'

/** A source with its place among those of its list, which begins the ids of its entries. */
type RankedSource = Source & { rank: string }

const rankSources = (sources: readonly Source[]): RankedSource[] =>
  sources.map((source, at) => ({ ...source, rank: String(at).padStart(2, '0') }))

const fieldNames = [
  'actor',
  'order',
  'amount',
  'unit',
  'subject',
  'state',
  'attemptNumber',
  'fields',
  'text',
  'link',
  'note',
] as const

const maxPinned = 20

/**
 * Each source finds its newest entries by itself, so that none is read to its end for one page. They are not ordered by
 * the bare column: for who has few rows the planner would walk a whole table by its time.
 */
function selectEntries({ kind, type, rows, at, id, rank, select }: RankedSource): string {
  const key = `'${rank}.' || ${id}`
  const fields = fieldNames.map((name) => `${select[name] ?? 'NULL'} AS "${name}"`)
  // Without their types, nulls of one source would not match the texts of another.
  const casts = {
    order: '::json',
    link: '::json',
    note: '::json',
    attemptNumber: '::int',
    fields: '::text[]',
  } as Record<string, string>
  const columns = fieldNames.map((name) => `x."${name}"${casts[name] ?? '::text'} AS "${name}"`)
  return `(SELECT x.at, x.id, x.kind, x.type, ${columns.join(', ')} FROM (
      SELECT ${at} AS at, (${key}) COLLATE "C" AS id, '${kind}' AS kind, ${type} AS type, ${fields.join(', ')} ${rows}
        AND ($2::timestamptz IS NULL OR (${at}, (${key}) COLLATE "C") < ($2::timestamptz, $3::text))
      ORDER BY ${at} + interval '0' DESC, 2 DESC LIMIT $4) x)`
}

/** One statement, so that page, total and pinned notes are of one snapshot. */
const buildStatement = (sources: readonly RankedSource[], pinned: string) => `
  SELECT (SELECT coalesce(sum(n), 0)::int FROM (${sources.map(({ rows }) => `SELECT count(*) AS n ${rows}`).join(' UNION ALL ')}) c) AS total,
    coalesce((SELECT json_agg(json_build_object('id', e.id, 'kind', e.kind, 'type', e.type, 'at', ${instant('e.at')},
      ${fieldNames.map((name) => `'${name}', e."${name}"`).join(', ')}) ORDER BY e.at DESC, e.id DESC)
      FROM (SELECT * FROM (${sources.map(selectEntries).join(' UNION ALL ')}) u ORDER BY u.at DESC, u.id DESC LIMIT $4) e), '[]') AS entries,
    coalesce((SELECT json_agg(p.note) FROM (SELECT ${noteObject} AS note ${noteTables} WHERE ${pinned} AND n.pinned_at IS NOT NULL
      ORDER BY n.pinned_at DESC, n.id DESC LIMIT ${maxPinned}) p), '[]') AS pinned`

interface Row {
  total: number
  entries: ActivityEntry[]
  pinned: Note[]
}

interface ActivityDesign {
  sources: RankedSource[]
  /** Which notes `n` may be pinned above it, by what else an admin needs to view them. */
  notes: { rows: string; permissions: readonly Permission[] }[]
}

async function readActivity(
  ctx: Ctx,
  design: ActivityDesign,
  id: string,
  { kind, before, limit }: ActivityQuery,
): Promise<Omit<Activity, 'memberId'>> {
  const isVisible = ({ permissions }: { permissions: readonly Permission[] }) =>
    permissions.every((permission) => hasPermission(ctx, permission))
  const sources = design.sources.filter((source) => isVisible(source) && (kind === undefined || source.kind === kind))
  if (sources.length === 0) return { entries: [], total: 0, next: null, pinned: [] }
  const notes = design.notes.filter(isVisible).map(({ rows }) => `(${rows})`)
  const statement = buildStatement(sources, notes.length > 0 ? `(${notes.join(' OR ')})` : 'false')
  // An instant has 24 characters.
  const [at = null, key = null] = before === undefined ? [] : [before.slice(0, 24), before.slice(25)]
  // One more than asked for tells whether there is an older one.
  // Planning all sources takes longer than finding a few rows, so each statement is planned once a connection.
  const name = `activity_${createHash('sha256').update(statement).digest('base64url')}`
  const { rows } = await ctx.reads.query<Row>({
    name,
    text: statement,
    values: [id, at, key, limit + 1, adminOf(ctx).id],
  })
  const { total, entries, pinned } = rows[0]!
  const shown = entries.slice(0, limit)
  const last = shown.at(-1)
  return { entries: shown, total, next: last && entries.length > limit ? `${last.at}_${last.id}` : null, pinned }
}

const memberActivity: ActivityDesign = {
  sources: rankSources(memberSources),
  notes: [
    { rows: 'n.member_id = $1 AND n.order_id IS NULL', permissions: ['notes.view'] },
    { rows: 'n.member_id = $1 AND n.order_id IS NOT NULL', permissions: ['notes.view', 'orders.view'] },
  ],
}
const orderActivity: ActivityDesign = {
  sources: rankSources(orderSources),
  notes: [{ rows: 'n.order_id = $1::bigint', permissions: ['notes.view'] }],
}

/** What happened to a member and their orders, as far as the admin may view it (product 5.17). Throws not_found. */
export async function readMemberActivity(ctx: Ctx, id: string, query: ActivityQuery): Promise<Activity> {
  const { rows } = await ctx.reads.query<{ id: string }>({ text: 'SELECT id FROM members WHERE id = $1', values: [id] })
  if (rows.length === 0) throw notFound('User')
  return { ...(await readActivity(ctx, memberActivity, id, query)), memberId: id }
}

/** What happened to an order. Throws not_found, also for what can be no order's id. */
export async function readOrderActivity(ctx: Ctx, id: string, query: ActivityQuery): Promise<Activity> {
  const { rows } = await ctx.reads.query<{ memberId: string }>({
    text: `SELECT member_id AS "memberId" FROM orders WHERE id = CASE WHEN $1 ~ '^[1-9][0-9]{0,17}$' THEN $1::bigint END`,
    values: [id],
  })
  if (!rows[0]) throw notFound('Order')
  return { ...(await readActivity(ctx, orderActivity, id, query)), ...rows[0] }
}
