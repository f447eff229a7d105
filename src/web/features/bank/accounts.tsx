import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { CheckCheck, Pencil, Plus, SlidersHorizontal, Upload } from 'lucide-react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { useTab } from '#web/table/use-tab.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { AccountSummary, AllAccountsSummary } from './account-summary.tsx'
import { Desk } from './desk/desk.tsx'
import { policyQuery } from './desk/queries.ts'
import type { Batch, DecisionStack } from './desk/use-decision-stack.ts'
import { nameAccounts } from './account-names.ts'
import { ImportsButtons, ImportsTab } from './imports-tab.tsx'
import { LinesButtons, LinesTab } from './lines-tab.tsx'
import { StatementsButtons, StatementsTab } from './statements-tab.tsx'

export const allAccounts = 'all'
const pageTabs = ['todo', 'lines', 'statements', 'imports'] as const

export type OpenDialog =
  | { dialog: 'account'; account: BankAccount | null }
  | { dialog: 'import'; files: File[] }
  | { dialog: 'exact' }
  | { dialog: 'undo'; batch: Batch }
  | { dialog: 'policy' }

interface AccountsProps {
  accounts: BankAccount[]
  chosen: BankAccount | undefined
  onChoose: (id: string) => void
  onOpen: (dialog: OpenDialog) => void
  stack: DecisionStack
}

/** On a phone an open line has the page to itself. */
const hiddenByLine = 'max-roomy:[&>div:first-child]:hidden'

/** A tab for each account, and one for all of them where there are several. */
export function Accounts({ accounts, chosen, onChoose, onOpen, stack }: AccountsProps) {
  const { line, tab }: { line?: unknown; tab?: unknown } = useSearch({ strict: false })
  const hasLine = line !== undefined && (tab === undefined || tab === 'todo')
  const panel = (account?: BankAccount) => (
    <AccountPanel
      key={account?.id ?? allAccounts}
      {...{ accounts, onChoose, onOpen, stack, hasLine }}
      chosen={account}
    />
  )
  const names = nameAccounts(accounts)
  const tabs = [
    ...(accounts.length > 1
      ? [
          {
            value: allAccounts,
            label: 'All accounts',
            count: accounts.reduce((sum, { work }) => sum + work.total, 0),
            countOf: 'to do',
            panel: panel(),
          },
        ]
      : []),
    ...accounts.map((account) => ({
      value: account.id,
      label: names.get(account.id) ?? account.name,
      count: account.work.total,
      countOf: 'to do',
      panel: panel(account),
    })),
  ]
  return (
    <Tabs
      label="Bank accounts"
      tabs={tabs}
      value={chosen?.id ?? allAccounts}
      onChange={onChoose}
      fill
      pills
      end={<HeadButtons accounts={chosen ? [chosen] : accounts} onOpen={onOpen} />}
      className={cn(hasLine && hiddenByLine)}
    />
  )
}

interface HeadButtonsProps extends Pick<AccountsProps, 'onOpen'> {
  accounts: BankAccount[]
}

/** How far the work has come, and what brings more of it or does many lines at once. */
function HeadButtons({ accounts, onOpen }: HeadButtonsProps) {
  const exact = accounts.reduce((sum, { work }) => sum + work.exact, 0)
  const policy = useQuery(policyQuery())
  const isNext = exact > 0 && policy.data?.policy.autoApply === true
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2 narrowest:*:h-auto narrowest:*:max-w-full narrowest:*:whitespace-normal max-md:w-full md:pl-2 print:hidden">
      <Progress accounts={accounts} />
      <PermissionGate permission="bank.import">
        <ChangeButton
          variant={isNext ? 'default' : 'primary'}
          aria-haspopup="dialog"
          onClick={() => onOpen({ dialog: 'import', files: [] })}
        >
          <Upload aria-hidden />
          <span className={cn(exact > 0 && 'max-phone:sr-only')}>Import</span>
        </ChangeButton>
      </PermissionGate>
      {exact > 0 && (
        <PermissionGate permission="bank.apply">
          <ChangeButton
            variant={isNext ? 'primary' : 'default'}
            aria-haspopup="dialog"
            aria-keyshortcuts="E"
            onClick={() => onOpen({ dialog: 'exact' })}
          >
            <CheckCheck aria-hidden />
            {isNext ? 'Apply' : 'Review'} {formatCount(exact)} Exact
            <KeyHint onAccent={isNext}>E</KeyHint>
          </ChangeButton>
        </PermissionGate>
      )}
    </span>
  )
}

function Progress({ accounts }: { accounts: BankAccount[] }) {
  const all = accounts.reduce((sum, { booked }) => sum + booked.count, 0)
  const done = all - accounts.reduce((sum, { work }) => sum + work.total, 0)
  if (all === 0) return null
  return (
    <span className="mr-2 flex flex-1 items-center gap-2.5 text-13 whitespace-nowrap tabular-nums">
      <span>
        <b>{formatCount(done)}</b> of {formatCount(all)} done
      </span>
      <span aria-hidden className="flex h-1 w-24 overflow-hidden rounded-full bg-neutral-soft max-[100rem]:hidden">
        <span
          style={{ width: `${(done / all) * 100}%` }}
          className={cn('keep-colour', done === all ? 'bg-success-solid' : 'bg-accent')}
        />
      </span>
    </span>
  )
}

interface AccountPanelProps extends AccountsProps {
  hasLine: boolean
}

/** The balances of one account or the sums of all, over the work on their lines, the lines and the statements. */
function AccountPanel({ accounts, chosen, onChoose, onOpen, stack, hasLine }: AccountPanelProps) {
  const [tab, choose] = useTab(pageTabs)
  const desk = (
    <Desk
      accounts={accounts}
      account={chosen}
      onChooseAccount={onChoose}
      onExact={() => onOpen({ dialog: 'exact' })}
      stack={stack}
      onUndoBatch={(batch) => onOpen({ dialog: 'undo', batch })}
    />
  )
  const tabs = [
    { value: 'todo' as const, label: 'To Do', panel: desk },
    { value: 'lines' as const, label: 'Lines', panel: <LinesTab accountId={chosen?.id} /> },
    { value: 'statements' as const, label: 'Statements', panel: <StatementsTab accountId={chosen?.id} /> },
    { value: 'imports' as const, label: 'Imports', panel: <ImportsTab accountId={chosen?.id} /> },
  ]
  const ListButtons = listButtons[tab]
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(20rem,1fr)] page-scrolls:block print:block">
      <div className={cn(hasLine && 'max-roomy:hidden')}>
        {chosen ? (
          <AccountSummary account={chosen} isWork={tab === 'todo'} />
        ) : (
          <AllAccountsSummary accounts={accounts} isWork={tab === 'todo'} />
        )}
      </div>
      <Tabs
        label="Work, lines and statements"
        tabs={tabs}
        value={tab}
        onChange={choose}
        fill
        end={
          <span className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-1 max-md:pb-1 print:hidden">
            {ListButtons && <ListButtons accountId={chosen?.id} />}
            <SetupButtons chosen={chosen} onOpen={onOpen} />
          </span>
        }
        className={cn('row-start-2', hasLine && hiddenByLine)}
      />
    </div>
  )
}

/** The buttons of a list. They stand beside the tabs, so that a list has no row of its own for them. */
const listButtons = { todo: null, lines: LinesButtons, statements: StatementsButtons, imports: ImportsButtons }

/** What is seldom needed: the policy and the accounts themselves. */
const SetupButtons = ({ chosen, onOpen }: Pick<AccountsProps, 'chosen' | 'onOpen'>) => (
  <>
    <Button size="small" variant="ghost" aria-haspopup="dialog" onClick={() => onOpen({ dialog: 'policy' })}>
      <SlidersHorizontal aria-hidden />
      <span className="max-phone:sr-only">Policy</span>
    </Button>
    <PermissionGate permission="bank.manage">
      {chosen && (
        <ChangeButton
          size="small"
          variant="ghost"
          aria-haspopup="dialog"
          aria-label={`Edit ${chosen.name}`}
          onClick={() => onOpen({ dialog: 'account', account: chosen })}
        >
          <Pencil aria-hidden />
          <span className="max-phone:sr-only">Edit</span>
        </ChangeButton>
      )}
      <ChangeButton
        size="small"
        variant="ghost"
        aria-haspopup="dialog"
        onClick={() => onOpen({ dialog: 'account', account: null })}
      >
        <Plus aria-hidden />
        <span className="max-phone:sr-only">Add Account</span>
      </ChangeButton>
    </PermissionGate>
  </>
)
