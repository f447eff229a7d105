import type { BankAccount } from '#contract/schemas/bank.ts'
import { formatAmount, isZero } from '#web/bank/amounts.ts'
import { creditLooks, creditPurposes } from './desk/credit-looks.ts'

/** What is shown only where there is some. */
const isRare = (purpose: (typeof creditPurposes)[number]) =>
  purpose === 'reversal' || purpose === 'returned' || purpose === 'paidBack'

/** What became of the money that came in on an account. Its parts add up to all of it. */
export function CreditsBar({ account: { credits, booked, currency } }: { account: BankAccount }) {
  const shown = creditPurposes.filter((purpose) => !isRare(purpose) || !isZero(credits[purpose]))
  const filled = shown.filter((purpose) => !isZero(credits[purpose]))
  return (
    <div className="min-w-56 flex-1 max-md:basis-full">
      <p className="mb-1 text-12 text-quiet tabular-nums">
        Of <b className="whole-number font-medium text-ink">{formatAmount(booked.credits)}</b> {currency} that came in
        with all statements
      </p>
      <span aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-s">
        {filled.map((purpose) => (
          <span
            key={purpose}
            // Only how wide it is drawn.
            style={{ flexGrow: Number(credits[purpose]) }}
            className={`keep-colour min-w-1 ${creditLooks[purpose].colour}`}
          />
        ))}
        {filled.length === 0 && <span className="flex-1 bg-neutral-soft" />}
      </span>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-12 tabular-nums">
        {shown.map((purpose) => (
          <li key={purpose} className="inline-flex items-center gap-1.5 text-quiet">
            <span aria-hidden className={`keep-colour size-2 rounded-[2px] ${creditLooks[purpose].colour}`} />
            {creditLooks[purpose].label}{' '}
            <b className="whole-number font-medium text-ink">{formatAmount(credits[purpose])}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}
