import { Fragment, type ReactNode } from 'react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { cn } from '#web/lib/cn.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatAmount, isZero } from '#web/bank/amounts.ts'
import { countLines } from '#web/bank/words.ts'
import { Difference } from '#web/bank/difference.tsx'
import { AgeingBar, AgesByCurrency } from './ageing-bar.tsx'
import { listProblems, StatementProblems } from '#web/bank/statement-problems.tsx'
import { creditLooks, creditPurposes } from './desk/list/purposes-table.tsx'

const Strip = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className="gutter border-b bg-canvas py-3">
    <div className="max-w-[calc(var(--container-table)-2*var(--gutter))]">{children}</div>
  </section>
)

/** On a phone the ages stand over the work alone: a list begins on the first screen. */
const besideWork = 'max-md:hidden'

interface FigureProps {
  name: string
  amount: string | null
  /** What joins it to the figure before. */
  sign?: string
  unit?: string
}

const Figure = ({ name, amount, sign, unit }: FigureProps) => (
  <span className="flex min-w-0 items-end gap-2.5">
    {sign && <span className="text-quiet">{sign}</span>}
    <span className="min-w-0">
      <span className="block text-12 whitespace-nowrap text-quiet">{name}</span>
      <span className="font-medium tabular-nums">
        <span className="whole-number">{amount === null ? 'None' : formatAmount(amount)}</span>
        {unit && <span className="font-regular text-quiet"> {unit}</span>}
      </span>
    </span>
  </span>
)

/** What an account's latest statement says, and what of its money is open. */
export function AccountSummary({ account, isWork }: { account: BankAccount; isWork: boolean }) {
  const { latest, currency } = account
  const hasProblems = listProblems(account).length > 0
  return (
    <Strip label="Latest statement">
      <div className="flex min-h-10 flex-wrap items-center gap-x-8 gap-y-3">
        {latest ? (
          <Balances latest={latest} currency={currency} />
        ) : (
          <span className="text-13 text-quiet">No statement was imported yet.</span>
        )}
        {account.lines > 0 && <CreditsBar account={account} />}
        {(latest || hasProblems) && (
          <span className="ml-auto max-md:ml-0">
            <span className="block text-12 text-quiet">{hasProblems ? 'Check' : 'Difference'}</span>
            {hasProblems ? (
              <StatementProblems account={account} />
            ) : (
              <Difference difference={latest?.difference ?? null} large />
            )}
          </span>
        )}
      </div>
      {account.work.total > 0 && (
        <div className={cn('mt-3', !isWork && besideWork)}>
          <AgeingBar name="Open by age" groups={account.ageing} currency={currency} accountId={account.id} />
        </div>
      )}
      <p className="mt-1 flex flex-wrap items-center gap-x-3 text-12 text-quiet">
        <span className="inline-flex min-w-0 items-center gap-0.5 text-ink tabular-nums">
          <bdi className="min-w-0 break-all">{formatAccountNumber(account.account)}</bdi>
          <CopyButton text={account.account} label={`Copy ${formatAccountNumber(account.account)}`} />
        </span>
        {!account.isActive && <span>Switched off, takes no statements</span>}
        {latest && (
          <span className="min-w-0 break-words">
            Statement {latest.number && <bdi>{latest.number} </bdi>}imported <Instant value={latest.importedAt} /> by{' '}
            <bdi>{latest.importedBy}</bdi>
          </span>
        )}
      </p>
    </Strip>
  )
}

function Balances({
  latest: { opening, credits, debits, closing, closingOn },
  currency,
}: {
  latest: NonNullable<BankAccount['latest']>
  currency: string
}) {
  return (
    <span className="flex min-w-0 flex-wrap items-end gap-x-2.5 gap-y-2 max-phone:hidden">
      <Figure name="Opening" amount={opening} />
      <Figure name="Money in" amount={credits} sign="+" />
      <Figure name="Money out" amount={debits} sign="−" />
      <Figure
        name={closingOn ? `Closing, ${formatDay(closingOn)}` : 'Closing'}
        amount={closing}
        sign="="
        unit={currency}
      />
    </span>
  )
}

/** "Giro: 2 statements with a difference, 1 gap". */
const AccountProblems = ({ account }: { account: BankAccount }) => (
  <span className="mr-4">
    <bdi>{account.name}</bdi>:{' '}
    {listProblems(account).map(({ tab, attention, words }, at) => (
      <Fragment key={words}>
        {at > 0 && ', '}
        <Link {...paths.bank({ tab, account: account.id, ...(attention && { attention }) })} className="underline">
          {words}
        </Link>
      </Fragment>
    ))}
  </span>
)

/** What is open on all accounts, by currency and age. */
export function AllAccountsSummary({ accounts, isWork }: { accounts: BankAccount[]; isWork: boolean }) {
  const todo = accounts.reduce((sum, { work }) => sum + work.total, 0)
  const off = accounts.filter((account) => listProblems(account).length > 0)
  return (
    <Strip label="Open lines">
      <p className="flex min-h-5 flex-wrap items-center gap-x-4 gap-y-1 text-13">
        <span className="text-quiet tabular-nums">
          {formatCount(accounts.length)} {accounts.length === 1 ? 'account' : 'accounts'},{' '}
          <span className="font-medium text-ink">{countLines(todo)} to do</span>
        </span>
        {off.length > 0 && (
          <span className="min-w-0 wrap-anywhere text-danger-ink">
            {off.map((account) => (
              <AccountProblems key={account.id} account={account} />
            ))}
          </span>
        )}
      </p>
      <div className={cn(!isWork && besideWork)}>
        <AgesByCurrency accounts={accounts} />
      </div>
    </Strip>
  )
}

/** What is shown only where there is some. */
const isRare = (purpose: (typeof creditPurposes)[number]) =>
  purpose === 'reversal' || purpose === 'returned' || purpose === 'paidBack'

/** The outcome of the money that came in on an account. Its allocations add up to all of it. */
function CreditsBar({ account: { credits, booked, currency } }: { account: BankAccount }) {
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
