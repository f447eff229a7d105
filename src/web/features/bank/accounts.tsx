import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { CheckCheck, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { useTab } from '#web/table/use-tab.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { AccountSummary, AllAccountsSummary } from './account-summary.tsx'
import { Desk } from './desk/desk.tsx'
import { policyQuery } from './desk/queries.ts'
import type { Batch, DecisionStack } from './desk/use-decision-stack.ts'
import { AccountMenu } from './account-menu.tsx'
import { allAccounts } from './account-names.ts'
import { ImportsTab } from './imports-tab.tsx'
import { LinesTab } from './lines-tab.tsx'
import { StatementsTab } from './statements-tab.tsx'

const pageTabs = ['todo', 'lines', 'statements', 'imports'] as const

export type OpenDialog =
  | { dialog: 'account'; account: BankAccount | null }
  | { dialog: 'import'; files: File[] }
  | { dialog: 'exact' }
  | { dialog: 'undo'; batch: Batch }
  | { dialog: 'policy' }

export interface AccountsProps {
  accounts: BankAccount[]
  chosen: BankAccount | undefined
  onChoose: (id: string) => void
  onOpen: (dialog: OpenDialog) => void
  stack: DecisionStack
}

/** One bar for the account, its parts and what brings more work, over a strip of its money and the chosen part. */
export function Accounts({ accounts, chosen, onChoose, onOpen, stack }: AccountsProps) {
  const { line, tab: given }: { line?: unknown; tab?: unknown } = useSearch({ strict: false })
  const hasLine = line !== undefined && (given === undefined || given === 'todo')
  const [tab, choose] = useTab(pageTabs)
  const shown = chosen ? [chosen] : accounts
  const show = (list: ReactNode) => (
    <div
      key={chosen?.id ?? allAccounts}
      className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(20rem,1fr)] page-scrolls:block print:block"
    >
      <div className={cn(hasLine && 'max-roomy:hidden')}>
        {chosen ? <AccountSummary account={chosen} /> : <AllAccountsSummary accounts={accounts} />}
      </div>
      <div className="row-start-2 min-h-0">{list}</div>
    </div>
  )
  const accountId = chosen?.id
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
    { value: 'todo' as const, label: 'To Do', panel: show(desk) },
    { value: 'lines' as const, label: 'Lines', panel: show(<LinesTab accountId={accountId} />) },
    { value: 'statements' as const, label: 'Statements', panel: show(<StatementsTab accountId={accountId} />) },
    { value: 'imports' as const, label: 'Imports', panel: show(<ImportsTab accountId={accountId} />) },
  ]
  return (
    <Tabs
      label="Work, lines and statements"
      tabs={tabs}
      value={tab}
      onChange={choose}
      fill
      start={<AccountMenu {...{ accounts, chosen, onChoose, onOpen }} />}
      end={<HeadButtons accounts={shown} onOpen={onOpen} />}
      // On a phone an open line has the page to itself.
      className={cn(hasLine && 'max-roomy:[&>div:first-child]:hidden')}
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
    <span className="ml-auto flex min-w-0 shrink-0 items-center gap-2 narrowest:w-full narrowest:flex-wrap narrowest:*:h-auto narrowest:*:max-w-full narrowest:*:whitespace-normal print:hidden">
      <Progress accounts={accounts} />
      <PermissionGate permission="bank.import">
        <ChangeButton
          variant={isNext ? 'default' : 'primary'}
          aria-haspopup="dialog"
          onClick={() => onOpen({ dialog: 'import', files: [] })}
        >
          <Upload aria-hidden />
          <span className="max-phone:sr-only">Import</span>
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
    <span className="mr-2 flex items-center gap-2.5 text-13 whitespace-nowrap tabular-nums max-wide:hidden">
      <span>
        <b>{formatCount(done)}</b> of {formatCount(all)} done
      </span>
      <span aria-hidden className="flex h-1 w-24 overflow-hidden rounded-full bg-neutral-soft max-unfolded:hidden">
        <span
          style={{ width: `${(done / all) * 100}%` }}
          className={cn('keep-colour', done === all ? 'bg-success-solid' : 'bg-accent')}
        />
      </span>
    </span>
  )
}
