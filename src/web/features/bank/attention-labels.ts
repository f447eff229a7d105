import type { ImportAttention, LineAttention, StatementAttention } from '#contract/bank.ts'

/** The filters of notices, in words. */
export const lineAttentionLabels: Record<LineAttention, string> = {
  overdue: 'Waiting for more than two days',
  ended_order: 'Money on orders that have ended',
  taken_back: 'Taken back after completion',
  refund_due: 'Refunds due',
}
export const statementAttentionLabels: Record<StatementAttention, string> = {
  difference: 'With a difference',
  gap: 'The one before is missing',
}
export const importAttentionLabels: Record<ImportAttention, string> = { unreadable: 'With parts that were not read' }
