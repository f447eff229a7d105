import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { executePrepared } from '#server/db/execute-prepared.ts'
import { notFound } from '#server/lib/errors.ts'
import { findObstacle } from '#server/features/bank/matching/auto-apply.ts'
import type { KeyedWorld } from '#server/features/bank/matching/indexed-lookup.ts'
import {
  judgeChosen,
  type Proposal,
  proposeMatches,
  type ShownCandidate,
} from '#server/features/bank/matching/rank-candidates.ts'
import {
  type LineReading,
  type MatchOptions,
  readLine,
  type UndonePayment,
} from '#server/features/bank/matching/line-facts.ts'
import type { MatchPart } from '#server/features/bank/matching/lookup.ts'
import { type PolicyRow, readPolicyRow } from '#server/features/bank/shared/policy.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { type StoredLine, getLeft } from '#server/features/bank/statements/stored-line.ts'
import { selectOrderParts, selectUndonePayments } from './credit-statements.ts'
import { readTransfers } from './load-transfers.ts'
import { loadWorld } from './load-lookup.ts'

/** A line with what is proposed for what is left of its money. */
export interface LineProposal extends Proposal {
  stored: StoredLine
  /** Why the policy does not allow it to be applied with others, as if it were on. Null where it allows it. */
  obstacle: string | null
}

/** What all lines of a batch are judged by. */
export interface Judging {
  policy: PolicyRow
  world: KeyedWorld
  /** What the lines have paid before: amounts by order id, by line id. */
  paidOrders: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** What of that was undone: by order id, by line id. */
  undonePayments: ReadonlyMap<string, ReadonlyMap<string, UndonePayment>>
  /** By the database's clock. */
  now: string
}

/** The line as if it had only the money that has no purpose yet. */
export const toOpenLine = (stored: StoredLine): StatementLine => ({
  ...stored.line,
  amount: fromUnits(getLeft(stored)),
})

/** Whether a line is work: booked, and not all of its money has a purpose. */
export const isWork = ({ state }: StoredLine): boolean => state === 'open' || state === 'part'

export const toOptions = (
  { account, accountId, id }: StoredLine,
  { policy, paidOrders, undonePayments }: Judging,
): MatchOptions => ({
  account,
  accountId,
  feeTolerance: policy.feeTolerance,
  paidOrders: new Set(paidOrders.get(id)?.keys()),
  undonePayments: undonePayments.get(id) ?? new Map(),
})

async function readPaidOrders(db: Db | Tx, lines: readonly StoredLine[]): Promise<Map<string, Map<string, string>>> {
  const ids = lines.filter(({ allocated }) => toUnits(allocated) > 0n).map(({ id }) => id)
  const found = new Map<string, Map<string, string>>()
  if (ids.length === 0) return found
  const { rows } = await executePrepared<MatchPart & { lineId: string }>(db, selectOrderParts(ids))
  for (const { lineId, orderId, amount } of rows)
    found.set(lineId, (found.get(lineId) ?? new Map<string, string>()).set(orderId, amount))
  return found
}

async function readUndonePayments(db: Db | Tx, lines: readonly StoredLine[]): Promise<Judging['undonePayments']> {
  if (lines.length === 0) return new Map()
  const { rows } = await executePrepared<UndonePayment & { lineId: string; orderId: string }>(
    db,
    selectUndonePayments(lines.map(({ id }) => id)),
  )
  const found = Map.groupBy(rows, ({ lineId }) => lineId)
  return new Map([...found].map(([lineId, undone]) => [lineId, new Map(undone.map((each) => [each.orderId, each]))]))
}

async function readNow(db: Db | Tx): Promise<string> {
  const { rows } = await executePrepared<{ now: string }>(db, sql`SELECT clock_timestamp() AS now`)
  return toInstant(rows[0]!.now)
}

/** Fetches what these lines are judged by. `orderIds` are orders to judge that the lines may not name. */
export async function prepareJudging(
  db: Db | Tx,
  lines: readonly StoredLine[],
  orderIds: readonly string[] = [],
): Promise<Judging> {
  const policy = await readPolicyRow(db)
  const transfers = await readTransfers(db, lines, policy.feeTolerance)
  return {
    policy,
    world: await loadWorld(db, lines.map(toOpenLine), orderIds, transfers),
    paidOrders: await readPaidOrders(db, lines),
    undonePayments: await readUndonePayments(db, lines),
    now: await readNow(db),
  }
}

/** What is left of a line, to be judged with orders that a person chose. */
export const readOpenLine = (stored: StoredLine, judging: Judging): LineReading =>
  readLine(toOpenLine(stored), judging.world, toOptions(stored, judging))

/** Proposes for one line of those that the judging was prepared for. */
export function proposeFor(stored: StoredLine, judging: Judging): LineProposal {
  const { policy, world, now } = judging
  const line = toOpenLine(stored)
  const proposal = proposeMatches(line, world, toOptions(stored, judging))
  return {
    ...proposal,
    stored,
    obstacle: findStoredObstacle(stored, findObstacle({ ...policy, autoApply: true }, line, proposal, now)),
  }
}

function findStoredObstacle({ state }: StoredLine, obstacle: string | null): string | null {
  if (state === 'part') return 'Part of its money has a purpose'
  return state === 'settled' ? 'All of its money has a purpose' : obstacle
}

/** A fresh proposal for one line, from the database as it is now. */
export async function proposeForLine(db: Db | Tx, stored: StoredLine): Promise<LineProposal> {
  return proposeFor(stored, await prepareJudging(db, [stored]))
}

/** Judges one line paying one order that a person chose. Throws not_found. */
export async function judgeForLine(
  db: Db | Tx,
  stored: StoredLine,
  orderId: string,
): Promise<{ candidate: ShownCandidate; judging: Judging }> {
  const judging = await prepareJudging(db, [stored], [orderId])
  const order = judging.world.findOrder(orderId)
  if (!order) throw notFound('Order')
  return { candidate: judgeChosen(toOpenLine(stored), order, judging.world, toOptions(stored, judging)), judging }
}
