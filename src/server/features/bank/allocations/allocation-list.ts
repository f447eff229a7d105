import type { BankDirection, BankLineState } from '#contract/bank.ts'
import type { WriteOffCode, AllocationPurpose, RefundCause } from '#contract/bank-allocations.ts'
import type { AllocationsQuery } from '#contract/schemas/bank-queries.ts'
import type { ListDesign, ListRequest } from '#server/db/list.ts'
import { instant, formatMoney } from '#server/db/select.ts'
import { filterDays } from '#server/features/bank/statements/lines.ts'

/** Each line once for each of its allocations, with those undone, and a line without allocations once. */
const table = `(SELECT l.id AS line_id, l.account_id, l.statement_id, l.place, l.booked_on, l.value_on, l.direction, l.amount, l.currency,
    l.state, l.bank_reference, l.payer_name, l.payer_account, l.remittance, coalesce(p.id, 0) AS id, p.purpose, p.code,
    p.cause, p.reason, p.rule, p.is_third_party, p.amount AS allocation_amount, p.made_by, p.made_at, p.undone_by, p.undone_at,
    p.undo_reason, p.order_id, p.other_line_id
  FROM bank_lines l LEFT JOIN bank_allocations p ON p.line_id = l.id)`

/** A line and an allocation of it, as an export has them. */
export interface ExportedAllocation {
  lineId: string
  accountName: string
  statementNumber: string | null
  place: string
  bookedOn: string | null
  valueOn: string | null
  direction: BankDirection
  amount: string
  currency: string
  state: BankLineState
  bankReference: string | null
  payerName: string | null
  payerAccount: string | null
  remittance: string[]
  /** Null of a line without allocations, as are the others from here on. */
  purpose: AllocationPurpose | null
  code: WriteOffCode | null
  cause: RefundCause | null
  orderNumber: string | null
  otherLineId: string | null
  allocationAmount: string | null
  reason: string | null
  madeBy: string | null
  madeAt: string | null
  undoneBy: string | null
  undoneAt: string | null
  undoReason: string | null
}

const allocationList: ListDesign = {
  table,
  at: 'line_id',
  order: { isAscending: true },
  select: {
    lineId: 't.line_id::text',
    accountName: 'a.name',
    statementNumber: 's.number',
    place: 't.place',
    bookedOn: 't.booked_on::text',
    valueOn: 't.value_on::text',
    direction: 't.direction',
    amount: formatMoney('t.amount'),
    currency: 't.currency',
    state: 't.state',
    bankReference: 't.bank_reference',
    payerName: 't.payer_name',
    payerAccount: 't.payer_account',
    remittance: 'to_json(t.remittance)',
    purpose: 't.purpose',
    code: 't.code',
    cause: 't.cause',
    orderNumber: 'o.order_number',
    otherLineId: 't.other_line_id::text',
    allocationAmount: formatMoney('t.allocation_amount'),
    reason: 't.reason',
    madeBy: 't.made_by',
    madeAt: instant('t.made_at'),
    undoneBy: 't.undone_by',
    undoneAt: instant('t.undone_at'),
    undoReason: 't.undo_reason',
  },
  join: `JOIN bank_accounts a ON a.id = t.account_id JOIN bank_statements s ON s.id = t.statement_id
    LEFT JOIN orders o ON o.id = t.order_id`,
}

/** The allocations of the lines of a period, in the order of the lines: which payment paid which order, who decided it, what was undone. */
export function buildAllocationList({ accountId, from, to }: Partial<AllocationsQuery>): ListRequest {
  const ofAccount = accountId ? [{ rows: 't.account_id = $value::bigint', leaves: null, value: accountId }] : []
  return { list: allocationList, filters: [...ofAccount, ...filterDays({ from, to })] }
}
