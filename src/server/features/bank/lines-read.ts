import type { BankLine } from '#contract/schemas/bank.ts'
import type { Candidate } from '#contract/schemas/bank-candidates.ts'
import type { OrderPayments } from '#contract/schemas/bank-allocations.ts'
import type { MemberRead } from '#server/http/data-access-log.ts'

/** A line counts as one payer, under a name that no member has. */
const countLine = (id: string) => `bank line ${id}`

/** The payers that a list of lines shows. Null: none. */
export const describeLinesRead = (lines: readonly BankLine[]): MemberRead | null =>
  lines.length === 0 ? null : { kind: 'bank_lines', listed: lines.map(({ id }) => countLine(id)) }

/** The payer of a line, and whom its candidates name: members by their orders, payers and payees by other lines. */
export function describeCandidatesRead(lineId: string, candidates: readonly Candidate[]): MemberRead {
  const listed = candidates.flatMap((each) => {
    if (each.kind === 'return') return [countLine(each.transfer.lineId)]
    const credits = each.kind === 'order' ? [] : each.credits
    return [...each.orders.map(({ userId }) => userId), ...credits.map(({ lineId }) => countLine(lineId))]
  })
  return { kind: 'bank_line', listed: [...new Set([countLine(lineId), ...listed])] }
}

/** The member of an order with payments, or the payers of lines that may pay one without. Null: it shows neither. */
export function describeOrderPaymentsRead({ payments, waiting }: OrderPayments): MemberRead | null {
  const order = payments[0]?.allocation.order
  if (order) return { kind: 'payments', opened: order.userId }
  return waiting.length === 0 ? null : { kind: 'payments', listed: waiting.map(({ id }) => countLine(id)) }
}
