import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describeReturnReason } from '#contract/return-reasons.ts'
import type { NewAllocation } from '#contract/schemas/bank-allocations.ts'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { chooseReturnedAllocations } from '#server/features/bank/matching/returns.ts'
import type { ChosenAllocations } from '#server/features/bank/matching/sums.ts'
import type { PolicyRow } from '#server/features/bank/shared/policy.ts'
import { type StoredLine, getLeft } from '#server/features/bank/statements/stored-line.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ClosedRest, PlannedAllocation } from './credit-plan.ts'
import { requireBooked } from './line-rules.ts'
import { type AllocationRow, readActiveRows } from './allocation-rows.ts'
import { buildKeptError, buildReturnerError, getHolder } from '#server/features/bank/refunds/refund-account.ts'
import { insertAllocations, type NewAllocationRow, byHand, writeUndo } from './write-allocations.ts'

/** The credits that the named transfers have paid back, to be locked with them. */
export async function listRefundedLines(tx: Tx, allocations: readonly NewAllocation[]): Promise<string[]> {
  const transfers = allocations.flatMap((each) => (each.purpose === 'return' ? [each.lineId] : []))
  if (transfers.length === 0) return []
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT DISTINCT other_line_id::text AS id FROM bank_allocations
    WHERE line_id::text = ANY(${textArray(transfers)}) AND purpose = 'refund' AND undone_at IS NULL AND other_line_id IS NOT NULL`)
  return rows.map(({ id }) => id)
}

/** Refuses what no credit can return. */
export function requireReturnable(credit: StoredLine, transfer: StoredLine): void {
  requireBooked(transfer)
  if (transfer.line.direction !== 'debit')
    throw new AppError('line_direction', 'Only a transfer that went out can come back')
  if (transfer.line.currency !== credit.line.currency)
    throw new AppError('line_amount', `That line is in ${transfer.line.currency}, this one in ${credit.line.currency}`)
  if (transfer.accountId !== credit.accountId)
    throw new AppError(
      'line_account',
      `That transfer left ${transfer.account}, and this money came to ${credit.account}: a transfer comes back to the account that it left`,
    )
}

interface ReturnChange {
  credit: StoredLine
  /** The transfer, and the credits that it has paid back, by their ids, locked. */
  lines: ReadonlyMap<string, StoredLine>
  policy: Pick<PolicyRow, 'feeTolerance' | 'reasonForThirdParty'>
  reason: string | null
  now: string
}

/**
 * Writes on a transfer that it came back: what it had paid back is due again, and what banks kept of it is put aside as their fee.
 * Returns what names the decision on both lines, and that fee.
 */
export async function returnTransfer(
  tx: Tx,
  ctx: Ctx,
  change: ReturnChange,
  planned: PlannedAllocation,
): Promise<{ madeWith: string; closed?: ClosedRest }> {
  const { credit, lines, reason, now } = change
  const transfer = lines.get(planned.otherLineId!)!
  const active = await readActiveRows(tx, transfer.id)
  requireNotGone(transfer, active, planned)
  const { allocations, kept } = chooseGone(change, transfer, active, planned)
  requireLocked(lines, transfer, allocations)
  if (reason === null) requireReturnReason(change, transfer, kept)
  const madeWith = randomUUID()
  const undoReason = reason ?? describeReturn(credit)
  for (const each of allocations) await writeUndo(tx, ctx, each, undoReason, now, madeWith)
  const common = { ...byHand, reason, madeWith }
  const returned: NewAllocationRow = { ...common, ...planned, lineId: transfer.id, otherLineId: credit.id }
  const closed = { amount: kept, code: 'fee' as const }
  const fee: NewAllocationRow = { ...returned, purpose: 'ignored', otherLineId: null, ...closed }
  await insertAllocations(tx, ctx, kept > 0n ? [returned, fee] : [returned], now)
  return { madeWith, ...(kept > 0n && { closed }) }
}

/** Throws line_amount for more than can have come back. */
function requireNotGone({ line }: StoredLine, active: readonly AllocationRow[], { amount }: PlannedAllocation): void {
  const gone = active
    .filter(({ purpose }) => purpose === 'reversal' || purpose === 'return')
    .reduce((sum, each) => sum + toUnits(each.amount), 0n)
  const most = toUnits(line.amount) - gone
  if (amount <= most) return
  throw new AppError('line_amount', `Only ${fromUnits(most)} ${line.currency} of that transfer can have come back`)
}

function chooseGone(
  { credit, lines }: ReturnChange,
  transfer: StoredLine,
  active: readonly AllocationRow[],
  { amount }: PlannedAllocation,
): ChosenAllocations<AllocationRow> {
  const movable = active.filter(({ purpose }) => purpose === 'refund' || purpose === 'ignored')
  const payer = getHolder(credit).account
  const isMeant = ({ otherLineId }: AllocationRow) => {
    const paidBack = otherLineId === null ? undefined : lines.get(otherLineId)
    return payer !== null && paidBack !== undefined && getHolder(paidBack).account === payer
  }
  return chooseReturnedAllocations(movable, { amount, open: getLeft(transfer) }, isMeant)
}

/** Throws stale where the transfer has paid back another credit since its credits were locked. */
function requireLocked(
  lines: ReadonlyMap<string, StoredLine>,
  transfer: StoredLine,
  rows: readonly AllocationRow[],
): void {
  if (rows.every(({ otherLineId }) => otherLineId === null || lines.has(otherLineId))) return
  const details = { version: transfer.version, status: transfer.state }
  throw new AppError('stale', 'That transfer was changed meanwhile. Reload and decide again.', { details })
}

/** Throws payer_differs or invalid where the return needs a reason. */
function requireReturnReason({ credit, policy }: ReturnChange, transfer: StoredLine, kept: bigint): void {
  const error =
    (policy.reasonForThirdParty ? buildReturnerError(credit, transfer.line, getHolder(transfer)) : null) ??
    buildKeptError(credit, kept, policy.feeTolerance)
  if (error) throw error
}

/** Why an allocation of a transfer is undone by its return: "The transfer came back: the account is closed (AC04)". */
function describeReturn({ line: { returnReason } }: StoredLine): string {
  const words = 'The transfer came back'
  return returnReason === null ? words : `${words}: ${describeReturnReason(returnReason)}`
}
