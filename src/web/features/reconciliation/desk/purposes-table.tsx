import { bankDirectionLabels, type BankDirection } from '#contract/bank.ts'
import type { PurposeSum } from '#contract/schemas/bank-figures.ts'
import { addAmounts, formatAmount, isZero, subtractAmount } from '#web/bank/amounts.ts'
import { formatCount } from '#web/lib/money.ts'
import { describePurpose, listPurposes, purposeColour } from './purpose-rows.ts'

interface PurposesTableProps {
  label: string
  purposes: readonly PurposeSum[]
  currency: string
}

/** What became of the money, in and out: how many parts have each purpose, and their sum. */
export function PurposesTable({ label, purposes, currency }: PurposesTableProps) {
  return (
    <div className="mt-6 max-w-160 overflow-hidden rounded-l border bg-card text-13">
      <table aria-label={label} className="w-full border-collapse">
        <thead>
          <tr className="border-b text-12 text-quiet *:font-medium">
            <th scope="col" className="px-4 py-2 text-left">
              Purpose
            </th>
            <th scope="col" className="px-2 py-2 text-right">
              Parts
            </th>
            <th scope="col" className="px-4 py-2 text-right">
              {currency}
            </th>
          </tr>
        </thead>
        <Direction direction="credit" rows={listPurposes(purposes, 'credit')} />
        <Direction direction="debit" rows={listPurposes(purposes, 'debit')} />
      </table>
    </div>
  )
}

function Direction({ direction, rows }: { direction: BankDirection; rows: readonly PurposeSum[] }) {
  if (rows.length === 0) return null
  const sign = direction === 'debit' ? '−' : ''
  return (
    <tbody className="tabular-nums [&:last-child>tr:last-child]:border-b-0">
      {rows.map((row) => (
        <tr key={`${row.purpose} ${row.code}`} className="border-b">
          <th scope="row" className="px-4 py-2.5 text-left font-regular">
            <span className="flex items-center gap-3">
              <span aria-hidden className={`keep-colour size-2 shrink-0 rounded-[2px] ${purposeColour(row)}`} />
              {describePurpose(row)}
            </span>
            {row.due !== null && <RefundsDue due={row.due} amount={row.amount} />}
          </th>
          <td className="px-2 py-2.5 text-right text-quiet">{formatCount(row.count)}</td>
          <td className="px-4 py-2.5 text-right">
            <span className="whole-number">
              {sign}
              {formatAmount(row.amount)}
            </span>
          </td>
        </tr>
      ))}
      <tr className="border-b bg-canvas font-semibold">
        <th scope="row" className="px-4 py-2.5 text-left">
          {bankDirectionLabels[direction]}
        </th>
        <td className="px-2 py-2.5 text-right">{formatCount(rows.reduce((sum, { count }) => sum + count, 0))}</td>
        <td className="px-4 py-2.5 text-right">
          <span className="whole-number">
            {sign}
            {formatAmount(addAmounts(...rows.map(({ amount }) => amount)))}
          </span>
        </td>
      </tr>
    </tbody>
  )
}

/** What of the refunds has gone out, and what has not. */
const RefundsDue = ({ due, amount }: { due: string; amount: string }) => (
  <span className="block pl-5 text-12 text-quiet">
    {isZero(due)
      ? 'All paid back'
      : `${formatAmount(due)} still to be paid back, ${formatAmount(subtractAmount(amount, due))} paid back`}
  </span>
)
