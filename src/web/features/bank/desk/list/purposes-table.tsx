import { bankDirectionLabels, type BankDirection } from '#contract/bank.ts'
import type { PurposeSum } from '#contract/schemas/bank-figures.ts'
import {
  writeOffCodeLabels,
  writeOffCodes,
  allocationPurposes,
  type AllocationPurpose,
} from '#contract/bank-allocations.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { addAmounts, formatAmount, isZero, subtractAmount } from '#web/bank/amounts.ts'
import { formatCount } from '#web/lib/money.ts'

/** What may become of money that came in, in the order of the bar. */
export const creditPurposes = [
  'applied',
  'refund',
  'paidBack',
  'reversal',
  'returned',
  'ignored',
  'open',
] as const satisfies readonly (keyof BankAccount['credits'])[]

/** `words`: in a sentence of its own, when all is done. */
export const creditLooks: Record<(typeof creditPurposes)[number], { label: string; words: string; colour: string }> = {
  applied: { label: 'Applied', words: 'Applied to orders', colour: 'bg-success-solid' },
  refund: { label: 'To refund', words: 'To be paid back', colour: 'bg-warning-solid' },
  paidBack: { label: 'Paid back', words: 'Paid back', colour: 'bg-info-solid' },
  reversal: { label: 'Taken back', words: 'Taken back by the bank', colour: 'bg-danger-solid' },
  returned: { label: 'Returned', words: 'Transfers that came back', colour: 'bg-info-ink' },
  ignored: { label: 'Aside', words: 'Put aside', colour: 'bg-neutral-solid' },
  open: { label: 'Open', words: 'Still open', colour: 'bg-accent' },
}

type Purpose = Pick<PurposeSum, 'direction' | 'purpose' | 'code'>

const words: Record<BankDirection, Record<AllocationPurpose, string>> = {
  credit: {
    order: creditLooks.applied.words,
    refund: 'Refunds',
    reversal: creditLooks.reversal.words,
    return: creditLooks.returned.words,
    ignored: creditLooks.ignored.words,
  },
  debit: {
    order: creditLooks.applied.words,
    refund: 'Refunds paid back',
    reversal: creditLooks.reversal.words,
    return: creditLooks.returned.words,
    ignored: creditLooks.ignored.words,
  },
}

/** "Applied to orders", "Bank fee" */
const describePurpose = ({ direction, purpose, code }: Purpose): string =>
  code ? writeOffCodeLabels[code] : words[direction][purpose]

const colours: Record<AllocationPurpose, string> = {
  order: creditLooks.applied.colour,
  refund: creditLooks.refund.colour,
  reversal: creditLooks.reversal.colour,
  return: creditLooks.returned.colour,
  ignored: creditLooks.ignored.colour,
}
const purposeColour = ({ purpose }: Purpose): string => colours[purpose]

const rank = ({ purpose, code }: Purpose) =>
  allocationPurposes.indexOf(purpose) * writeOffCodes.length + (code ? writeOffCodes.indexOf(code) : 0)

/** The rows of one direction in their order: orders first, then refunds, and what was put aside by its reason. */
const listPurposes = (purposes: readonly PurposeSum[], direction: BankDirection): PurposeSum[] =>
  purposes.filter((each) => each.direction === direction).toSorted((one, other) => rank(one) - rank(other))

/** The outcome of the money of several accounts of one currency. */
export function addPurposes(accounts: readonly BankAccount[]): PurposeSum[] {
  const sums = new Map<string, PurposeSum>()
  for (const each of accounts.flatMap(({ purposes }) => purposes)) {
    const key = `${each.direction} ${each.purpose} ${each.code ?? ''}`
    const { count, amount, due } = sums.get(key) ?? { count: 0, amount: '0.00', due: null }
    sums.set(key, {
      ...each,
      count: count + each.count,
      amount: addAmounts(amount, each.amount),
      due: each.due === null ? null : addAmounts(due ?? '0.00', each.due),
    })
  }
  return [...sums.values()]
}

interface PurposesTableProps {
  label: string
  purposes: readonly PurposeSum[]
  currency: string
}

/** The outcome of the money, in and out: how many allocations have each purpose, and their sum. */
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
