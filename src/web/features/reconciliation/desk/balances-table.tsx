import type { ReactNode } from 'react'
import { formatAmount, isZero } from '#web/bank/amounts.ts'
import { Difference } from '#web/bank/difference.tsx'
import { formatDay } from '#web/lib/dates.ts'

/** From one balance to the next, as a statement or a whole account has it. */
export interface BalanceRow {
  id: string
  name: ReactNode
  opening: string | null
  openingOn: string | null
  credits: string
  debits: string
  closing: string | null
  closingOn: string | null
  difference: string | null
  /** Somebody has accepted the difference. */
  isAccepted?: boolean
}

interface BalancesTableProps {
  label: string
  /** What the rows are. */
  of: string
  rows: readonly BalanceRow[]
  total?: BalanceRow | null | undefined
  children?: ReactNode
}

/** Opening, money in, money out and closing. On a phone the movements stand under the name. */
export const BalancesTable = ({ label, of, rows, total, children }: BalancesTableProps) => (
  <div className="mt-6 max-w-240 overflow-hidden rounded-l border bg-card text-13">
    <table aria-label={label} className="w-full border-collapse">
      <thead>
        <tr className="border-b text-12 text-quiet *:px-2 *:py-2 *:text-right *:font-medium *:first:pl-4 *:first:text-left *:last:pr-4">
          <th scope="col">{of}</th>
          <th scope="col" className="max-md:hidden">
            Opening
          </th>
          <th scope="col" className="max-md:hidden">
            Money in
          </th>
          <th scope="col" className="max-md:hidden">
            Money out
          </th>
          <th scope="col">Closing</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
      {total && (
        <tfoot>
          <Row row={total} isTotal />
        </tfoot>
      )}
    </table>
    {children}
  </div>
)

const Row = ({ row, isTotal = false }: { row: BalanceRow; isTotal?: boolean }) => (
  <tr
    className={`border-b align-top tabular-nums last:border-b-0 *:px-2 *:py-2.5 *:first:pl-4 *:last:pr-4 ${isTotal ? 'bg-canvas font-semibold' : ''}`}
  >
    <th scope="row" className={`text-left wrap-anywhere ${isTotal ? 'font-semibold' : 'font-regular'}`}>
      {row.name}
      <span className="block text-12 font-regular text-quiet md:hidden">
        {row.opening === null ? 'None' : formatAmount(row.opening)} + {formatAmount(row.credits)} −{' '}
        {formatAmount(row.debits)}
      </span>
    </th>
    <td className="text-right max-md:hidden">
      <Balance amount={row.opening} day={row.openingOn} />
    </td>
    <td className="whole-number text-right max-md:hidden">{formatSigned('+', row.credits)}</td>
    <td className="whole-number text-right max-md:hidden">{formatSigned('−', row.debits)}</td>
    <td className="text-right">
      <Balance amount={row.closing} day={row.closingOn} />
    </td>
    <td className="text-right">
      <Difference difference={row.difference} isAccepted={row.isAccepted ?? false} />
    </td>
  </tr>
)

const Balance = ({ amount, day }: { amount: string | null; day: string | null }) => (
  <>
    <span className="whole-number">{amount === null ? 'None' : formatAmount(amount)}</span>
    {day !== null && <span className="block text-12 font-regular whitespace-nowrap text-quiet">{formatDay(day)}</span>}
  </>
)

/** Nothing has no sign. */
const formatSigned = (sign: '+' | '−', amount: string) => (isZero(amount) ? '' : sign) + formatAmount(amount)
