import type { ApprovalAction } from '#contract/approvals.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { CandidateOrder } from '#contract/schemas/reconciliation.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'

/** Orders in another currency than the line's count for nothing. */
export const useLineNeed = (
  { amount, currency }: Pick<BankLine, 'amount' | 'currency'>,
  orders: readonly CandidateOrder[] = [],
  action: Extract<ApprovalAction, 'apply_payment' | 'undo_payment'> = 'apply_payment',
) =>
  useApprovalNeed(
    action,
    { amount, currency },
    ...orders
      .filter((order) => order.currency === currency)
      .map(({ investmentAmount }) => ({ amount: investmentAmount, currency })),
  )
