import type { BankLine } from './schemas/bank.ts'

/** What the text is made of. */
interface RefundedPayment extends Pick<BankLine, 'bookedOn' | 'valueOn' | 'amount' | 'currency'> {
  refundsDue: readonly { order: { orderNumber: string } | null }[]
}

/** The most characters of the text of a SEPA transfer. */
const longest = 140

/**
 * A text for the transfer that pays back what is due on a line: it names the orders that the money was meant for, else
 * the payment. `_` is not a character of SEPA; order numbers are read without their signs.
 */
export function buildRefundText({ refundsDue, bookedOn, valueOn, amount, currency }: RefundedPayment): string {
  const numbers = [...new Set(refundsDue.flatMap(({ order }) => order?.orderNumber ?? []))]
  const day = bookedOn ?? valueOn
  const payment = `of ${amount} ${currency}${day === null ? '' : ` of ${day}`}`
  return `Refund ${numbers.length > 0 ? numbers.join(', ') : payment}`.replaceAll('_', '-').slice(0, longest)
}
