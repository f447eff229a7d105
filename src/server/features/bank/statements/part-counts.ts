import { declareCounts } from '#server/db/counts.ts'
import { bankParts } from '#server/db/tables/bank-parts.ts'

/**
 * The active parts with their amounts, for what became of an account's money; of what is put aside also why. No page is read by
 * these.
 */
export const partCounts = declareCounts({
  name: 'bank_parts',
  table: bankParts,
  at: null,
  by: {
    account: bankParts.accountId,
    direction: bankParts.direction,
    purpose: bankParts.purpose,
    code: bankParts.code,
  },
  only: 't.undone_at IS NULL',
  amount: bankParts.amount,
})
