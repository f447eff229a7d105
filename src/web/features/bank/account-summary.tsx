import { Fragment, type ReactNode } from 'react'
import type { BankAccount } from '#contract/schemas/bank.ts'
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
import { AccountDetails } from './ageing-bar.tsx'
import { listProblems, StatementProblems } from '#web/bank/statement-problems.tsx'
import { creditLooks, creditPurposes } from './desk/list/purposes-table.tsx'

const Strip = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className="gutter border-b bg-canvas py-1">
    <div className="flex min-h-8.75 max-w-table flex-wrap items-center gap-x-8 gap-y-1">{children}</div>
  </section>
)

interface FigureProps {
  name: string
  amount: string | null
  /** What joins it to the figure before. */
  sign?: string
  unit?: string
}

const Figure = ({ name, amount, sign, unit }: FigureProps) => (
  <span className="flex min-w-0 items-end gap-2.5 text-13 leading-4.5">
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
export function AccountSummary({ account }: { account: BankAccount }) {
  const { latest, currency } = account
  const hasProblems = listProblems(account).length > 0
  return (
    <Strip label="Latest statement">
      {latest ? (
        <Balances latest={latest} currency={currency} />
      ) : (
        <span className="text-13 text-quiet">No statement was imported yet.</span>
      )}
      {account.lines > 0 && <CreditsBar account={account} />}
      {!account.isActive && <span className="text-12 text-quiet">Switched off, takes no statements</span>}
      <AccountDetails accounts={[account]} account={account}>
        <p className="flex flex-wrap items-center gap-x-3 border-t pt-2 text-12 text-quiet first:border-0 first:pt-0">
          <span className="inline-flex min-w-0 items-center gap-0.5 text-ink tabular-nums">
            <bdi className="min-w-0 break-all">{formatAccountNumber(account.account)}</bdi>
            <CopyButton text={account.account} label={`Copy ${formatAccountNumber(account.account)}`} />
          </span>
          {latest && (
            <span className="min-w-0 break-words">
              Statement {latest.number && <bdi>{latest.number} </bdi>}imported <Instant value={latest.importedAt} /> by{' '}
              <bdi>{latest.importedBy}</bdi>
            </span>
          )}
          {account.lines > 0 && (
            <span className="w-full tabular-nums">
              <b className="whole-number font-medium text-ink">{formatAmount(account.booked.credits)}</b> {currency}{' '}
              came in with all statements
            </span>
          )}
        </p>
      </AccountDetails>
      {hasProblems ? (
        <StatementProblems account={account} />
      ) : (
        latest && (
          <span className="ml-auto">
            <span className="block text-12 text-quiet">Difference</span>
            <Difference difference={latest.difference} large />
          </span>
        )
      )}
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
export function AllAccountsSummary({ accounts }: { accounts: BankAccount[] }) {
  const todo = accounts.reduce((sum, { work }) => sum + work.total, 0)
  const off = accounts.filter((account) => listProblems(account).length > 0)
  return (
    <Strip label="Open lines">
      <span className="text-13 text-quiet tabular-nums">
        {formatCount(accounts.length)} {accounts.length === 1 ? 'account' : 'accounts'},{' '}
        <span className="font-medium text-ink">{countLines(todo)} to do</span>
      </span>
      <AccountDetails accounts={accounts} />
      {off.length > 0 && (
        <span className="min-w-0 text-13 wrap-anywhere text-danger-ink">
          {off.map((account) => (
            <AccountProblems key={account.id} account={account} />
          ))}
        </span>
      )}
    </Strip>
  )
}

/** What is shown only where there is some. */
const isRare = (purpose: (typeof creditPurposes)[number]) =>
  purpose === 'reversal' || purpose === 'returned' || purpose === 'paidBack'

/** The outcome of the money that came in on an account. Its allocations add up to all of it. */
function CreditsBar({ account: { credits } }: { account: BankAccount }) {
  const shown = creditPurposes.filter((purpose) => !isRare(purpose) || !isZero(credits[purpose]))
  const filled = shown.filter((purpose) => !isZero(credits[purpose]))
  return (
    <div className="min-w-56 flex-1 max-wide:basis-full">
      <span aria-hidden className="flex h-1.5 gap-0.5 overflow-hidden rounded-s">
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
