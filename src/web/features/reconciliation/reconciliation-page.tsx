import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Landmark, Pencil, Plus, Upload } from 'lucide-react'
import { useState } from 'react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { describeError } from '#web/api.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { useCan } from '#web/use-can.ts'
import { useTab } from '#web/table/use-tab.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Note } from '#web/ui/note.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { AccountSummary, AllAccountsSummary } from './account-summary.tsx'
import { DropHint } from './drop-hint.tsx'
import { LinesTab } from './lines-tab.tsx'
import { accountsQuery } from './queries.ts'
import { StatementsTab } from './statements-tab.tsx'
import { useFileDrop } from './use-file-drop.ts'

const AccountDialog = lazy(() => import('./account-dialog.tsx'))
const ImportDialog = lazy(() => import('./import-dialog.tsx'))

const listTabs = ['lines', 'statements'] as const
const allAccounts = 'all'

type OpenDialog = { dialog: 'account'; account: BankAccount | null } | { dialog: 'import'; files: File[] }

/** The account that the address bar names; undefined stands for all of them. */
function useChosenAccount(accounts: BankAccount[] | undefined) {
  const navigate = useNavigate()
  const { account: given }: { account?: unknown } = useSearch({ strict: false })
  const choose = (id: string) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({
        ...now,
        account: id === allAccounts ? undefined : id,
        page: undefined,
      }),
    })
  return { chosen: accounts?.find(({ id }) => id === given), choose }
}

/** Reconciliation (product 5.13): the bank's accounts, their statements and the lines of those. */
export default function ReconciliationPage() {
  const accounts = useQuery(accountsQuery())
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const mayImport = useCan('bank.import')
  const close = () => setOpened(null)
  const importFiles = (files: File[]) =>
    setOpened((now) => ({ dialog: 'import', files: [...(now?.dialog === 'import' ? now.files : []), ...files] }))
  const isDragging = useFileDrop(importFiles, mayImport && opened?.dialog !== 'account')
  usePrefetch(accounts.isSuccess, ImportDialog)
  usePrefetch(accounts.isSuccess, AccountDialog)
  const all = accounts.data?.accounts
  const { chosen, choose } = useChosenAccount(all)
  return (
    <>
      {all ? (
        <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(36rem,1fr)] page-scrolls:block print:block">
          <div>
            {accounts.error && (
              <Note tone="danger" role="alert" className="m-3">
                The bank accounts could not be refreshed: {describeError(accounts.error)}
              </Note>
            )}
          </div>
          {all.length > 0 ? (
            <Accounts accounts={all} chosen={chosen} onChoose={choose} onOpen={setOpened} />
          ) : (
            <NoAccounts onAdd={() => setOpened({ dialog: 'account', account: null })} />
          )}
        </div>
      ) : accounts.error ? (
        <ErrorState
          title="The bank accounts could not be loaded"
          message={describeError(accounts.error)}
          onRetry={() => void accounts.refetch()}
          retrying={accounts.isFetching}
        />
      ) : (
        <p className="gutter py-6 text-13 text-quiet">Loading...</p>
      )}
      {isDragging && <DropHint />}
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
        {opened?.dialog === 'account' && (
          <AccountDialog account={opened.account} onClose={close} onAdded={({ id }) => choose(id)} />
        )}
        {opened?.dialog === 'import' && (
          <ImportDialog
            files={opened.files}
            onFiles={importFiles}
            accounts={all ?? []}
            chosen={chosen}
            onClose={close}
          />
        )}
      </LazyBoundary>
    </>
  )
}

interface AccountsProps {
  accounts: BankAccount[]
  chosen: BankAccount | undefined
  onChoose: (id: string) => void
  onOpen: (dialog: OpenDialog) => void
}

function Accounts({ accounts, chosen, onChoose, onOpen }: AccountsProps) {
  const open = accounts.reduce((sum, account) => sum + account.open.count, 0)
  const tabs = [
    {
      value: allAccounts,
      label: 'All accounts',
      count: open,
      countOf: 'open',
      panel: <AccountPanel key={allAccounts} accounts={accounts} />,
    },
    ...accounts.map((account) => ({
      value: account.id,
      label: account.name,
      count: account.open.count,
      countOf: 'open',
      panel: <AccountPanel key={account.id} accounts={accounts} chosen={account} />,
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
      end={<HeadButtons chosen={chosen} onOpen={onOpen} />}
    />
  )
}

const HeadButtons = ({ chosen, onOpen }: Pick<AccountsProps, 'chosen' | 'onOpen'>) => (
  <span className="flex flex-wrap gap-2 print:hidden">
    <PermissionGate permission="bank.manage">
      {chosen && (
        <ChangeButton
          aria-haspopup="dialog"
          aria-label={`Edit ${chosen.name}`}
          onClick={() => onOpen({ dialog: 'account', account: chosen })}
        >
          <Pencil aria-hidden />
          Edit
        </ChangeButton>
      )}
      <ChangeButton aria-haspopup="dialog" onClick={() => onOpen({ dialog: 'account', account: null })}>
        <Plus aria-hidden />
        Add Account
      </ChangeButton>
    </PermissionGate>
    <PermissionGate permission="bank.import">
      <ChangeButton variant="primary" aria-haspopup="dialog" onClick={() => onOpen({ dialog: 'import', files: [] })}>
        <Upload aria-hidden />
        Import
      </ChangeButton>
    </PermissionGate>
  </span>
)

/** The balances of one account or the sums of all, over their lines and statements. */
function AccountPanel({ accounts, chosen }: Pick<AccountsProps, 'accounts'> & { chosen?: BankAccount }) {
  const [tab, choose] = useTab(listTabs)
  const tabs = [
    { value: 'lines' as const, label: 'Lines', panel: <LinesTab accountId={chosen?.id} /> },
    { value: 'statements' as const, label: 'Statements', panel: <StatementsTab accountId={chosen?.id} /> },
  ]
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(20rem,1fr)] page-scrolls:block print:block">
      {chosen ? <AccountSummary account={chosen} /> : <AllAccountsSummary accounts={accounts} />}
      <Tabs label="Statements and their lines" tabs={tabs} value={tab} onChange={choose} fill />
    </div>
  )
}

const NoAccounts = ({ onAdd }: { onAdd: () => void }) => (
  <div className="grid content-center justify-items-center pb-16">
    <EmptyState icon={Landmark} title="Add the account whose statements you import">
      Its statements and their lines appear here once you import a file of your bank: camt.052, camt.053, camt.054,
      MT940, CSV, or a zip of them.
    </EmptyState>
    <PermissionGate permission="bank.manage">
      <ChangeButton variant="primary" aria-haspopup="dialog" className="-mt-4" onClick={onAdd}>
        <Plus aria-hidden />
        Add Account
      </ChangeButton>
    </PermissionGate>
  </div>
)
