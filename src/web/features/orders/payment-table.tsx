import { useId, useMemo } from 'react'
import { matchFlagLabels, allocationPurposeLabels } from '#contract/bank-allocations.ts'
import type { OrderPayment } from '#contract/schemas/bank-allocations.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay, formatInstant } from '#web/lib/dates.ts'
import { formatDecimal } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { isZero } from '#web/bank/amounts.ts'
import { describeTransferReturn } from '#web/bank/words.ts'
import { createColumns } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { TableGrid } from '#web/table/table-grid.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'

const column = createColumns<OrderPayment>()

const Booked = ({ payment: { line, allocation } }: { payment: OrderPayment }) => (
  <span className="block leading-4.5">
    <span className="whitespace-nowrap tabular-nums">
      {line.bookedOn ? formatDay(line.bookedOn) : <MissingValue>Not booked</MissingValue>}
    </span>
    <span className="block truncate text-12 text-quiet" title={`Applied on ${formatInstant(allocation.madeAt)}`}>
      by <bdi>{allocation.madeBy}</bdi>
    </span>
  </span>
)

/** Name over account, and under them why an operator took another's money. */
function Payer({ payment: { line, allocation } }: { payment: OrderPayment }) {
  const { name, account } = line.payer
  const { ultimate } = line.claims
  const number = account && formatAccountNumber(account)
  const party = name || number
  const flags = allocation.evidence.flags.map((flag) => matchFlagLabels[flag])
  return (
    <div className="min-w-0 py-1 leading-4.5">
      {party ? <TruncatedText>{party}</TruncatedText> : <MissingValue>Unknown payer</MissingValue>}
      {name && number && (
        <span className="block text-12 text-quiet tabular-nums">
          <TruncatedText>{number}</TruncatedText>
        </span>
      )}
      {ultimate !== null && (
        <span className="block text-12 text-quiet">
          <TruncatedText>{`On behalf of ${ultimate}, as the payer says`}</TruncatedText>
        </span>
      )}
      {(flags.length > 0 || allocation.reason) && (
        <span className="flex min-w-0 gap-1 text-12">
          {flags.length > 0 && <span className="shrink-0 text-warning-ink">{flags.join(', ')}</span>}
          {allocation.reason && (
            <span className="min-w-0 text-quiet">
              <TruncatedText>{`“${allocation.reason}”`}</TruncatedText>
            </span>
          )}
        </span>
      )}
    </div>
  )
}

/** The statement and the place in its file, which lead to the line. */
const Line = ({ line: { id, statementNumber, place, accountName } }: Pick<OrderPayment, 'line'>) => (
  <div className="min-w-0 leading-4.5">
    <Link {...paths.bank({ line: id })} className="hit-line block truncate link-reference">
      <bdi>{[statementNumber, place].filter(Boolean).join(', ')}</bdi>
    </Link>
    <span className="block text-12 text-quiet">
      <TruncatedText>{accountName}</TruncatedText>
    </span>
  </div>
)

/** What an allocation is that pays no order. A refund that has gone out in whole needs nothing more. */
const OtherPurpose = ({ allocation: { purpose, refundDue, amount, returned } }: Pick<OrderPayment, 'allocation'>) =>
  refundDue !== null && isZero(refundDue) ? (
    <span className="block text-12 text-quiet">Paid back</span>
  ) : (
    <span className="block text-12 text-warning-ink">
      {allocationPurposeLabels[purpose]}
      {refundDue !== null && formatDecimal(refundDue) !== formatDecimal(amount) && (
        <span className="whitespace-nowrap">, {formatDecimal(refundDue, 2)} due</span>
      )}
      {returned && <span className="block wrap-anywhere">{describeTransferReturn(returned)}</span>}
    </span>
  )

const Amount = ({ allocation, line }: OrderPayment) => (
  <span className="block leading-4.5">
    <span className="whole-number font-medium">
      {formatDecimal(allocation.amount, 2)} <span className="font-regular text-quiet">{allocation.currency}</span>
    </span>
    {allocation.purpose === 'order' ? (
      formatDecimal(allocation.amount) !== formatDecimal(line.amount) && (
        <span className="block text-12 whitespace-nowrap text-quiet">of {formatDecimal(line.amount, 2)}</span>
      )
    ) : (
      <OtherPurpose allocation={allocation} />
    )}
  </span>
)

const listColumns = (onUndo: (payment: OrderPayment) => void, refusalId: string) => [
  column.accessor('line.bookedOn', {
    id: 'booked',
    header: 'Booked',
    cell: ({ row: { original } }) => <Booked payment={original} />,
    meta: { width: '84px' },
  }),
  column.display({
    id: 'payer',
    header: 'Payer',
    cell: ({ row: { original } }) => <Payer payment={original} />,
    meta: { min: '120px', narrow: 'full' },
  }),
  column.display({
    id: 'line',
    header: 'Line',
    cell: ({ row: { original } }) => <Line line={original.line} />,
    meta: { min: '88px', narrow: 'full' },
  }),
  column.display({
    id: 'amount',
    header: 'Amount',
    cell: ({ row: { original } }) => <Amount {...original} />,
    meta: { width: '104px', align: 'right', narrow: 'inline' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <PermissionGate permission="bank.apply">
        <RowActions>
          <ChangeButton
            size="small"
            aria-haspopup="dialog"
            aria-label={`Undo ${formatDecimal(original.allocation.amount, 2)} ${original.allocation.currency} of ${original.line.payer.name ?? 'an unnamed payer'}`}
            disabled={original.allocation.undoRefusal !== null}
            title={original.allocation.undoRefusal ?? undefined}
            {...(original.allocation.undoRefusal !== null && { 'aria-describedby': refusalId })}
            onClick={() => onUndo(original)}
          >
            Undo
          </ChangeButton>
        </RowActions>
      </PermissionGate>
    ),
    meta: { width: '56px', align: 'right', narrow: 'end' },
  }),
]

interface PaymentTableProps {
  payments: OrderPayment[]
  onUndo: (payment: OrderPayment) => void
}

/** The payments that count, newest first, and why any of them can't be undone. */
export function PaymentTable({ payments, onUndo }: PaymentTableProps) {
  const refusalId = useId()
  const columns = useMemo(() => listColumns(onUndo, refusalId), [onUndo, refusalId])
  const refusals = [...new Set(payments.flatMap(({ allocation }) => allocation.undoRefusal ?? []))]
  return (
    <>
      <section
        aria-label="Bank payments"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
        tabIndex={0}
        className="@container overflow-x-auto border-t -outline-offset-2! [--table-edge:1rem] [--table-ground:var(--surface-card)] print:overflow-visible"
      >
        <TableGrid columns={columns} rows={payments} rowId={({ allocation }) => allocation.id} />
      </section>
      {refusals.length > 0 && (
        <p id={refusalId} className="border-t px-4 py-2.5 text-12 text-quiet">
          {refusals.map((refusal) => (
            <span key={refusal} className="block">
              Can’t be undone: {refusal}
            </span>
          ))}
        </p>
      )}
    </>
  )
}
