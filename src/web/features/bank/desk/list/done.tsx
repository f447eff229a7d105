import { Check, Undo2 } from 'lucide-react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { isZero } from '#web/bank/amounts.ts'
import { countLines } from '#web/bank/words.ts'
import { Difference } from '#web/bank/difference.tsx'
import { formatDay } from '#web/lib/dates.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { ExportButton } from '#web/table/export-button.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { listProblems, StatementProblems } from '#web/bank/statement-problems.tsx'
import { AccountBalances, toProofRow, BalancesTable } from './account-balances.tsx'
import { addPurposes, PurposesTable } from './purposes-table.tsx'

interface DoneProps {
  accounts: readonly BankAccount[]
  /** Undefined: all of them. */
  account: BankAccount | undefined
  /** Another account with work. */
  next: BankAccount | undefined
  onNext: () => void
}

/** Every line has its place: the outcome of the money, and where to go on. */
export function Done({ accounts, account, next, onNext }: DoneProps) {
  return (
    <section aria-label="Done" className="h-full overflow-y-auto px-(--gutter) py-8 page-scrolls:overflow-visible">
      <span className="grid size-12 place-items-center rounded-full bg-success-soft text-success-ink">
        <Check aria-hidden className="size-6" />
      </span>
      {account ? <AccountDone account={account} /> : <AllDone accounts={accounts} />}
      <div className="mt-6 flex flex-wrap gap-2">
        {next && (
          <Button variant="primary" aria-keyshortcuts="Enter" onClick={onNext} className="max-w-full">
            <span className="truncate">
              Next account: {next.name}, {next.work.total} to do
            </span>
            <KeyHint onAccent>↵</KeyHint>
          </Button>
        )}
        {account && !isZero(account.credits.refund) && (
          <Button asChild>
            <Link {...paths.bank({ tab: 'lines', account: account.id, attention: 'refund_due' })}>
              <Undo2 aria-hidden />
              Refunds to Make
            </Link>
          </Button>
        )}
        <ExportButton name="bankLines" query={{ accountId: account?.id }} />
      </div>
      <p className="mt-6 text-12 text-quiet">Each line can still be undone from its history.</p>
    </section>
  )
}

/** Whether the bank's balances prove the lines: an account without balances has no problems either. */
const isReconciled = (account: BankAccount) => account.proof !== null && listProblems(account).length === 0

function describeClose(account: BankAccount): string {
  const { latest, proof, unreadable } = account
  if (unreadable) return 'Every line has its place, but parts of a file were not read.'
  if (listProblems(account).length > 0) return 'Every line has its place, but the balances do not hold.'
  if (proof === null) return 'Every line has its place. The bank states no balances that would prove it.'
  if (!latest?.difference || !isZero(latest.difference)) return 'Every line has its place.'
  return `Every line has its place, and the figures lead from the balance of ${formatDay(proof.openingOn)} to the bank’s closing balance of ${formatDay(proof.closingOn)}.`
}

function AccountDone({ account }: { account: BankAccount }) {
  const { booked, currency, purposes, latest } = account
  const hasProblems = listProblems(account).length > 0
  return (
    <>
      <h2 className="mt-5 text-20! leading-7! wrap-anywhere">
        {isReconciled(account) ? (
          <>
            <bdi>{account.name}</bdi> is reconciled
          </>
        ) : (
          <>
            Nothing is left to do on <bdi>{account.name}</bdi>
          </>
        )}
      </h2>
      <p className="mt-1 text-14 text-quiet">{describeClose(account)}</p>
      <PurposesTable label="The outcome of the money" purposes={purposes} currency={currency} />
      <p className="mt-3 flex max-w-160 flex-wrap items-center gap-x-4 rounded-l border bg-canvas px-4 py-2 text-13 font-semibold">
        <span className="min-w-0 flex-1">
          Difference to the latest statement
          <span className="ml-3 font-regular whitespace-nowrap text-quiet">{countLines(booked.count)}</span>
        </span>
        {hasProblems ? <StatementProblems account={account} /> : <Difference difference={latest?.difference ?? null} />}
      </p>
      <AccountBalances account={account} />
    </>
  )
}

const AccountName = ({ account: { name, currency } }: { account: BankAccount }) => (
  <>
    <bdi>{name}</bdi> <span className="text-quiet">{currency}</span>
  </>
)

const listProofRows = (accounts: readonly BankAccount[]) =>
  accounts.flatMap((account) => toProofRow(account, <AccountName account={account} />) ?? [])

function describeAll(accounts: readonly BankAccount[]): string {
  if (accounts.every(isReconciled)) return 'All accounts are reconciled'
  return accounts.some((account) => listProblems(account).length > 0)
    ? 'Nothing is left to do, but some accounts have to be looked at'
    : 'Nothing is left to do, but some accounts have no balances that prove it'
}

/** One table for each currency. */
function AllDone({ accounts }: { accounts: readonly BankAccount[] }) {
  const currencies = [...new Set(accounts.map(({ currency }) => currency))].toSorted()
  return (
    <>
      <h2 className="mt-5 text-20! leading-7!">{describeAll(accounts)}</h2>
      {currencies.map((currency) => (
        <PurposesTable
          key={currency}
          label={`The outcome of the money in ${currency}`}
          purposes={addPurposes(accounts.filter((each) => each.currency === currency))}
          currency={currency}
        />
      ))}
      <BalancesTable label="Balances of the accounts" of="Account" rows={listProofRows(accounts)} />
    </>
  )
}
