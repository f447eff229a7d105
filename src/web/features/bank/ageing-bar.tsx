import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { lineAgeLabels, lineAges, type LineAge } from '#contract/bank.ts'
import type { AgeGroup } from '#contract/schemas/bank-figures.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { cn } from '#web/lib/cn.ts'
import { formatAmount, isZero, addAmounts } from '#web/bank/amounts.ts'
import { countLines } from '#web/bank/words.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { usePopover } from '#web/ui/use-popover.ts'

interface AccountDetailsProps {
  accounts: readonly BankAccount[]
  /** The account that the ages are of. Undefined: all accounts, by currency. */
  account?: BankAccount
  children?: ReactNode
}

/** Behind a phrase that warns of what has waited: how old the open money is, by currency, and more. */
export function AccountDetails({ accounts, account, children }: AccountDetailsProps) {
  const [isOpen, setOpen] = usePopover()
  const withWork = accounts.filter(({ work }) => work.total > 0)
  const late = withWork.flatMap(({ ageing }) => ageing).filter(({ age }) => age !== '0-2')
  const lateLines = late.reduce((sum, { count }) => sum + count, 0)
  if (withWork.length === 0 && !children) return null
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        className={cn(
          'hit-area rounded-s text-12 whitespace-nowrap tabular-nums underline decoration-dotted underline-offset-3',
          lateLines > 0 ? 'font-medium text-warning-ink' : 'text-quiet hover:text-ink',
        )}
      >
        {lateLines > 0 ? `${countLines(lateLines)} over 2 days` : 'Details'}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Details of the account"
          className="popover grid w-160 gap-3 px-4 py-3"
          onClick={({ target }) => target instanceof Element && target.closest('a') && setOpen(false)}
        >
          {account
            ? withWork.length > 0 && (
                <AgeingBar
                  name="Open by age"
                  groups={account.ageing}
                  currency={account.currency}
                  accountId={account.id}
                />
              )
            : orderCurrencies(withWork).map((currency) => (
                <AgeingBar
                  key={currency}
                  name={`Open in ${currency}`}
                  groups={addAges(withWork.filter((each) => each.currency === currency))}
                  currency={currency}
                  accountId={undefined}
                />
              ))}
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** What is open of several accounts of one currency, by age. */
const addAges = (accounts: readonly BankAccount[]): AgeGroup[] =>
  lineAges.map((age) => {
    const groups = accounts.flatMap(({ ageing }) => ageing.filter((group) => group.age === age))
    return {
      age,
      count: groups.reduce((sum, { count }) => sum + count, 0),
      credits: addAmounts(...groups.map(({ credits }) => credits)),
      debits: addAmounts(...groups.map(({ debits }) => debits)),
    }
  })

/** The currencies of accounts, the one with most lines to do first. */
function orderCurrencies(accounts: readonly BankAccount[]): string[] {
  const lines = Map.groupBy(accounts, ({ currency }) => currency)
  const countOf = (currency: string) => lines.get(currency)!.reduce((sum, { work }) => sum + work.total, 0)
  return [...lines.keys()].toSorted().toSorted((one, other) => countOf(other) - countOf(one))
}

/** The older, the graver. What has been open for more than two days is noticed, too. */
const ageColours: Record<LineAge, string> = {
  '0-2': 'bg-accent',
  '3-7': 'bg-info-solid',
  '8-30': 'bg-warning-solid',
  older: 'bg-danger-solid',
}

interface AgeingBarProps {
  /** "Open in EUR" */
  name: string
  groups: readonly AgeGroup[]
  currency: string
  /** The account that the lines are of. Undefined: all accounts in the currency. */
  accountId: string | undefined
}

/** How old the open money is, in one row; on a phone in tiles. Each age leads to its lines, which are just as many. */
function AgeingBar({ name, groups, currency, accountId }: AgeingBarProps) {
  const filled = groups.filter(({ count }) => count > 0)
  const hasLong = filled.some(({ credits, debits }) => isLong(credits) || isLong(debits))
  return (
    <section aria-label={name} className="min-w-0 items-center gap-x-3 roomy:flex">
      <div className="flex shrink-0 items-center gap-x-3">
        <span className="text-12 whitespace-nowrap text-quiet roomy:min-w-18.5">{name}</span>
        <span aria-hidden className="flex h-2 flex-1 gap-0.5 overflow-hidden rounded-s roomy:w-32 roomy:flex-none">
          {filled.map(({ age, credits, debits }) => (
            <span
              key={age}
              // Only how wide it is drawn.
              style={{ flexGrow: Number(credits) + Number(debits) }}
              className={`keep-colour min-w-1.5 ${ageColours[age]}`}
            />
          ))}
        </span>
      </div>
      <ul
        className={cn(
          '-mx-1.5 grid min-w-0 text-12 tabular-nums md:flex md:flex-wrap md:gap-x-1 roomy:mx-0',
          !hasLong && 'grid-cols-2 narrowest:grid-cols-1',
        )}
      >
        {filled.map((group) => (
          <Age
            key={group.age}
            group={group}
            search={accountId === undefined ? { age: group.age, currency } : { age: group.age, account: accountId }}
          />
        ))}
      </ul>
    </section>
  )
}

interface AgeProps {
  group: AgeGroup
  search: Parameters<typeof paths.bank>[0]
}

const Age = ({ group: { age, count, credits, debits }, search }: AgeProps) => (
  <li className="min-w-0">
    <Link
      {...paths.bank(search)}
      chosen="active"
      className="flex min-h-7 flex-wrap content-center items-center gap-x-1.5 rounded-m px-1.5 text-quiet transition-colors hover:bg-hover hover:text-ink aria-[current=true]:bg-selected aria-[current=true]:text-ink max-md:min-h-11 forced-colors:aria-[current=true]:outline-1"
    >
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
        <span aria-hidden className={`keep-colour size-2 shrink-0 rounded-[2px] ${ageColours[age]}`} />
        {lineAgeLabels[age]}
        <span className="sr-only">, </span>
      </span>
      <span className="whitespace-nowrap">{countLines(count)}</span>
      <span className="flex flex-wrap gap-x-1.5 max-md:basis-full max-md:pl-3.5">
        <Sum amount={credits} sign="+" />
        <Sum amount={debits} sign="−" />
      </span>
    </Link>
  </li>
)

/** Whether two groups with such an amount have no room beside each other on a phone. */
const isLong = (amount: string) => amount.length > 16

const Sum = ({ amount, sign }: { amount: string; sign: string }) =>
  !isZero(amount) && (
    <b className={cn('font-medium text-ink', isLong(amount) ? 'wrap-anywhere' : 'whole-number')}>
      <span className="sr-only">, </span>
      {sign}
      {formatAmount(amount)}
    </b>
  )
