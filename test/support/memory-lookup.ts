import { buildRefundText } from '#contract/refund-text.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { IndexedLookup } from '#server/features/bank/matching/indexed-lookup.ts'
import { comparePayer } from '#server/features/bank/matching/line-facts.ts'
import type { MatchOrder, MatchAllocation } from '#server/features/bank/matching/lookup.ts'

/** The one account that all lines of such a lookup are of. */
const ownAccountId = '1'

/** A lookup in memory, for tests and measurements. Its orders change with what is applied. */
export class MemoryLookup extends IndexedLookup {
  /** Applies the money of a line as a person or the policy decided. The payer's account is then known as the member's. */
  applyAllocations(
    line: StatementLine,
    allocations: readonly MatchAllocation[],
    refundDue: string | null = null,
    refundOrders: readonly MatchOrder[] = [],
  ) {
    for (const { orderId, amount } of allocations) this.#payOrder(line, this.getOrder(orderId), amount)
    this.addCredit({
      lineId: String(this.countCredits() + 1),
      accountId: ownAccountId,
      accountName: 'Giro',
      amount: line.amount,
      currency: line.currency,
      bookedOn: line.bookedOn,
      endToEndId: line.endToEndId,
      payerAccount: line.counterparty.iban,
      payerName: line.counterparty.name,
      orders: allocations.map(({ orderId }) => this.getOrder(orderId)),
      allocations,
      refundDue,
      refundOrders,
      refundText:
        refundDue === null ? null : buildRefundText({ ...line, refundsDue: refundOrders.map((order) => ({ order })) }),
      returnable: fromUnits(toUnits(line.amount) - toUnits(refundDue ?? '0')),
    })
  }

  #payOrder(line: StatementLine, before: MatchOrder, amount: string) {
    const received = toUnits(before.received) + toUnits(amount)
    const isPaid = received >= toUnits(before.investmentAmount)
    this.replaceOrder({ ...before, received: fromUnits(received), status: isPaid ? 'paid' : before.status })
    const member = this.findMember(before.memberId)
    const { iban } = line.counterparty
    if (iban && member && comparePayer(line, member, this).isMember) this.addAccount(iban, member.id)
  }
}
