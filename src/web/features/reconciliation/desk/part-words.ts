import { ignoreCodeLabels, refundCauseLabels } from '#contract/reconciliation.ts'
import type { BankPart } from '#contract/schemas/reconciliation.ts'
import { formatAmount } from '#web/bank/amounts.ts'

/** "2,000.00 EUR" */
export const formatPartMoney = ({ amount, currency }: Pick<BankPart, 'amount' | 'currency'>): string =>
  `${formatAmount(amount)} ${currency}`

/** What a part is for: "Applied to ORD-7", "To be paid back: came too late". */
export function describePurpose({ purpose, order, cause, code, otherLineId }: BankPart): string {
  switch (purpose) {
    case 'order':
      return `Applied to ${order?.orderNumber ?? 'an order'}`
    case 'refund': {
      const words = otherLineId === null ? 'To be paid back' : 'Paid back'
      return cause ? `${words}: ${refundCauseLabels[cause].toLowerCase()}` : words
    }
    case 'reversal':
      return 'Taken back by the bank'
    case 'ignored':
      return code ? `Put aside: ${ignoreCodeLabels[code].toLowerCase()}` : 'Put aside'
  }
}

/** The second line of the toast: each order or purpose with its amount. */
export const describeParts = (parts: readonly BankPart[]): string =>
  parts
    .map(
      (part) =>
        `${part.purpose === 'order' ? part.order?.orderNumber : describePurpose(part)} · ${formatPartMoney(part)}`,
    )
    .join(', ')
