import { sql, type SQL } from 'drizzle-orm'
import type { ChangesQuery, PlatformMember, PlatformOrder } from '#contract/schemas/platform-api.ts'
import type { Ctx } from '#server/core/context.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { type PlatformOrderRow, platformOrderSelect, toPlatformOrder } from '#server/features/orders/service.ts'
import { toMember, memberSelect, type MemberRow } from './member-reads.ts'

/** Where a list continues: after this row, by the transaction that last wrote it and its id. */
interface ListPosition {
  changedIn: string
  id: string
}
export interface ChangeList {
  name: 'members' | 'orders' | 'events'
  table: SQL
  /** The type of the ids, and a value before all of them. */
  idType: SQL
  firstId: string
  select: SQL
  /** What `select` reads in addition to the row `r`. */
  join?: SQL
}
/** A selected row with its position. */
type ChangedRow = Record<string, unknown> & { changedIn: string; placeId: string }

/**
 * A page of changes, in the order of the transactions that wrote them. Contains only transactions before the oldest one
 * still running. That one and later ones are listed after it, so that a cursor never skips a change.
 */
export async function readChanges(
  ctx: Ctx,
  list: ChangeList,
  query: ChangesQuery,
): Promise<{ rows: ChangedRow[]; next: string }> {
  const { epoch, start } = await readStart(ctx, list, query)
  const { rows } = await ctx.database.db.execute<ChangedRow>(buildPage(list, start, query.limit))
  const last = rows.at(-1)
  return { rows, next: encodeCursor(list, epoch, last ? { changedIn: last.changedIn, id: last.placeId } : start) }
}

/** The statement of a page. */
export const buildPage = (list: ChangeList, start: ListPosition, limit: number): SQL => sql`
    WITH page AS MATERIALIZED (
      SELECT id, changed_in FROM ${list.table}
      WHERE changed_in < pg_snapshot_xmin(pg_current_snapshot())
        AND (changed_in, id) > (${start.changedIn}::xid8, ${start.id}::${list.idType})
      ORDER BY changed_in, id LIMIT ${sql.raw(String(limit))}
    )
    SELECT ${list.select}, page.changed_in::text AS "changedIn", page.id::text AS "placeId"
    FROM page JOIN ${list.table} AS r ON r.id = page.id ${list.join ?? sql``} ORDER BY page.changed_in, page.id`

interface ListState {
  epoch: string
  /** The number of the next transaction. No row can have it. */
  nextTransaction: string
  openFrom: string | null
  [name: string]: unknown
}

async function readStart({ database: { db } }: Ctx, list: ChangeList, { after, updatedSince }: ChangesQuery) {
  if (after !== undefined && updatedSince !== undefined)
    throw invalidField(
      'updatedSince',
      'a list goes on behind after, or begins at updatedSince; leave out one of the two',
    )
  const { rows } = await db.execute<ListState>(sql`
    SELECT left(value->>'epoch', 8) AS epoch, pg_snapshot_xmax(pg_current_snapshot())::text AS "nextTransaction",
      (SELECT open_from::text FROM change_marks WHERE at <= ${updatedSince ?? null}::timestamptz
        ORDER BY at DESC LIMIT 1) AS "openFrom"
    FROM settings WHERE name = 'change_lists'`)
  const { epoch, nextTransaction, openFrom } = rows[0]!
  if (after === undefined) return { epoch, start: { changedIn: openFrom ?? '0', id: list.firstId } }
  const [name, ofEpoch, changedIn = '', id] = Buffer.from(after, 'base64url').toString().split(' ')
  const isKnown =
    name === list.name &&
    ofEpoch === epoch &&
    /^\d{1,20}$/.test(changedIn) &&
    BigInt(changedIn) < BigInt(nextTransaction)
  if (!isKnown || id === undefined || (list.firstId !== '' && !/^\d{1,18}$/.test(id)) || id.includes('\0'))
    throw new AppError(
      'cursor_unknown',
      'after: is not a cursor of this list, or of before the database was moved; begin again without it',
    )
  return { epoch, start: { changedIn, id } }
}

const encodeCursor = ({ name }: ChangeList, epoch: string, { changedIn, id }: ListPosition) =>
  Buffer.from([name, epoch, changedIn, id].join(' ')).toString('base64url')

export const memberList: ChangeList = {
  name: 'members',
  table: sql`members`,
  idType: sql`text`,
  firstId: '',
  select: memberSelect('r'),
}
const orderList: ChangeList = {
  name: 'orders',
  table: sql`orders`,
  idType: sql`bigint`,
  firstId: '0',
  select: sql.raw(platformOrderSelect('r')),
}

export async function listMembers(ctx: Ctx, query: ChangesQuery): Promise<{ members: PlatformMember[]; next: string }> {
  const { rows, next } = await readChanges(ctx, memberList, query)
  // The columns are those that the list selects. The same holds below.
  return { members: rows.map((row) => toMember(row as unknown as MemberRow)), next }
}

export async function listOrders(ctx: Ctx, query: ChangesQuery): Promise<{ orders: PlatformOrder[]; next: string }> {
  const { rows, next } = await readChanges(ctx, orderList, query)
  return { orders: rows.map((row) => toPlatformOrder(row as unknown as PlatformOrderRow)), next }
}
