import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { listOrderKeys } from '#server/features/bank/matching/indexed-lookup.ts'
import { toAmountKey } from '#server/features/bank/matching/sums.ts'
import type { MatchMember, MatchOrder } from '#server/features/bank/matching/lookup.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { isDue } from '#server/features/bank/shared/refunds-due.ts'
import {
  type IndexedCredit,
  listCreditKeys,
  toPayerAccountKey,
  toMemberKey,
  toOrderKey,
  toSentKey,
  toTransferKey,
} from './line-index.ts'
import { orderColumns } from '#server/features/bank/candidates/lookup-statements.ts'

/** Rows of a kind that are read together. */
const pageSize = 2000

interface ChangedRow {
  id: string
  /** The transaction that wrote it last. */
  changedIn: string
}

type ChangedMember = MatchMember & ChangedRow

interface ChangedOrder extends MatchOrder, ChangedRow {
  firstName: string | null
  lastName: string | null
  /** The amounts of its allocations, undone or not. */
  allocations: string[]
  /** From which accounts its allocations came, and the member has paid. */
  accounts: string[]
}

/** An allocation of a line. Without a payment that came in, as of a fee, it concerns the returns of its own line alone. */
type ChangedAllocation = ChangedRow & { ownLineId: string; sentId: string | null } & (IndexedCredit | { lineId: null })

/** What finds the lines whose proposals may change. */
export interface Changes {
  keys: Set<string>
  members: MatchMember[]
}

/** The rows after this one, which may be of the same transaction. */
const pageAfter = ({ changedIn, id }: ChangedRow, idType: 'text' | 'bigint') => sql`
  (changed_in, id) > (${changedIn}::xid8, ${id}::${sql.raw(idType)})
  ORDER BY changed_in, id LIMIT ${sql.raw(String(pageSize))}`

async function readChangedOrders(db: Db, after: ChangedRow): Promise<ChangedOrder[]> {
  const { rows } = await db.execute<ChangedOrder & Record<string, unknown>>(sql`
    SELECT ${sql.raw(orderColumns)}, o.changed_in::text AS "changedIn", m.legal_first_name AS "firstName",
      m.legal_last_name AS "lastName",
      ARRAY(SELECT p.amount::text FROM bank_allocations p WHERE p.order_id = o.id AND p.purpose = 'order') AS allocations,
      ARRAY(SELECT l.payer_account FROM bank_allocations p JOIN bank_lines l ON l.id = p.line_id
          WHERE p.order_id = o.id AND l.payer_account IS NOT NULL
        UNION SELECT a.account FROM payer_accounts a WHERE a.member_id = o.member_id) AS accounts
    FROM (SELECT * FROM orders WHERE ${pageAfter(after, 'bigint')}) o
      JOIN members m ON m.id = o.member_id ORDER BY o.changed_in, o.id`)
  return rows
}

async function readChangedMembers(db: Db, after: ChangedRow): Promise<ChangedMember[]> {
  const { rows } = await db.execute<ChangedMember & Record<string, unknown>>(sql`
    SELECT id, legal_first_name AS "firstName", legal_last_name AS "lastName", changed_in::text AS "changedIn"
    FROM members WHERE ${pageAfter(after, 'text')}`)
  return rows
}

const creditColumns = `l.id::text AS "lineId", l.currency, l.amount::text, l.payer_account AS "payerAccount",
  CASE WHEN ${isDue('l')} THEN l.refund_due::text END AS due`

/** Allocations with the payments that came in on one of their sides: what is due on them, or can be taken back, may be other than it was. */
async function readChangedAllocations(db: Db, after: ChangedRow): Promise<ChangedAllocation[]> {
  const { rows } = await db.execute<ChangedAllocation & Record<string, unknown>>(sql`
    SELECT p.id::text, p.line_id::text AS "ownLineId", p.changed_in::text AS "changedIn", ${sql.raw(creditColumns)},
      (SELECT d.end_to_end_id FROM bank_lines d WHERE d.id = p.line_id AND d.direction = 'debit') AS "sentId"
    FROM (SELECT * FROM bank_allocations WHERE ${pageAfter(after, 'bigint')}) p
      LEFT JOIN bank_lines l ON l.id = CASE p.direction WHEN 'credit' THEN p.line_id ELSE p.other_line_id END
    ORDER BY p.changed_in, p.id`)
  return rows
}

/** The amounts for which the order waits, and for which it waited while fewer of its allocations were there. */
function listAmounts({ investmentAmount, received, allocations }: ChangedOrder): bigint[] {
  const asked = toUnits(investmentAmount)
  const amounts = new Set([asked, asked - toUnits(received)])
  let left = asked - toUnits(received)
  for (const allocation of allocations.toReversed()) {
    left += toUnits(allocation)
    amounts.add(left).add(asked - toUnits(received) - toUnits(allocation))
  }
  return [...amounts].filter((amount) => amount > 0n)
}

/** By what the order was found before and is found now. */
function listChangedKeys(order: ChangedOrder): string[] {
  const asOpen = { ...order, status: 'waiting_payment' as const }
  return [
    ...listOrderKeys(asOpen).map(([kind, key]) => `${kind} ${key}`),
    ...listAmounts(order).map((amount) => `amount ${toAmountKey(order.currency, fromUnits(amount))}`),
    ...order.accounts.map(toPayerAccountKey),
    toOrderKey(order.id),
    toMemberKey(order.memberId),
  ]
}

/** One kind of rows, page by page. */
async function* readPages<Row extends ChangedRow>(read: (after: ChangedRow) => Promise<Row[]>, start: ChangedRow) {
  let after: ChangedRow | undefined = start
  while (after) {
    const rows: Row[] = await read(after)
    yield rows
    after = rows.length < pageSize ? undefined : rows.at(-1)
  }
}

/** By what the lines are found that changed rows concern. */
function toChanges(orders: ChangedOrder[], members: ChangedMember[], allocations: ChangedAllocation[]): Changes {
  const ofOrders = orders.map(({ memberId: id, firstName, lastName }) => ({ id, firstName, lastName }))
  const all = new Map([...ofOrders, ...members].map((member) => [member.id, member]))
  return {
    keys: new Set([
      ...orders.flatMap(listChangedKeys),
      ...members.map(({ id }) => toMemberKey(id)),
      ...allocations.flatMap((allocation) => [
        toTransferKey(allocation.ownLineId),
        ...(allocation.sentId === null ? [] : [toSentKey(allocation.sentId)]),
        ...(allocation.lineId === null ? [] : listCreditKeys(allocation)),
      ]),
    ]),
    members: [...all.values()],
  }
}

/** Changed rows that were handled while older transactions were under way, so that they are read again. */
export type HandledChanges = Set<string>

/**
 * What was changed by transactions from `from` on, in pages. Rows of transactions from `to` on, which will be read again,
 * are remembered in `handled`, and what was in it before is left out.
 */
export async function* readChanges(
  db: Db,
  { from, to }: { from: string; to: string },
  handled: HandledChanges,
): AsyncGenerator<Changes> {
  const known = new Set(handled)
  handled.clear()
  const filter = <Row extends ChangedRow>(kind: string, rows: readonly Row[]) =>
    rows.filter(({ id, changedIn }) => {
      const key = `${kind} ${id} ${changedIn}`
      if (BigInt(changedIn) >= BigInt(to)) handled.add(key)
      return !known.has(key)
    })
  const byNumber = { changedIn: from, id: '0' }
  for await (const rows of readPages((after) => readChangedOrders(db, after), byNumber))
    yield toChanges(filter('order', rows), [], [])
  for await (const rows of readPages((after) => readChangedMembers(db, after), { changedIn: from, id: '' }))
    yield toChanges([], filter('member', rows), [])
  for await (const rows of readPages((after) => readChangedAllocations(db, after), byNumber))
    yield toChanges([], [], filter('allocation', rows))
}
