import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Landmark, Plus, Upload } from 'lucide-react'
import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useState } from 'react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { accountsQuery } from '#web/bank/queries.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { useCan } from '#web/use-can.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { useSearchChange } from '#web/use-search-change.ts'
import { useWideWork } from '#web/use-wide-work.ts'
import { allAccounts } from './account-names.ts'
import { Accounts, type OpenDialog } from './accounts.tsx'
import { type DecisionStack, useDecisionStack } from './desk/use-decision-stack.ts'
import { LoadingRows } from './desk/list/work-list.tsx'

const AccountDialog = lazy(() => import('./account-dialog.tsx'))
const ImportDialog = lazy(() => import('./import-dialog.tsx'))
const ExactDialog = lazy(() => import('./desk/dialogs/exact-dialog.tsx'))
const UndoBatchDialog = lazy(() => import('./desk/dialogs/undo-batch-dialog.tsx'))
const PolicyDialog = lazy(() => import('./desk/dialogs/policy-dialog.tsx'))

/** The account that the address bar names; undefined stands for all of them. A single account stands for itself. */
function useChosenAccount(accounts: BankAccount[] | undefined) {
  const changeSearch = useSearchChange()
  const { account: given }: { account?: unknown } = useSearch({ strict: false })
  const choose = (id: string) =>
    changeSearch({
      account: id === allAccounts ? undefined : id,
      page: undefined,
      line: undefined,
      work: undefined,
      age: undefined,
      currency: undefined,
    })
  const single = accounts?.length === 1 ? accounts[0] : undefined
  return { chosen: accounts?.find(({ id }) => id === given) ?? single, choose }
}

/** Reconciliation (product 5.13): the work on the bank's lines, their list, and the statements they came with. */
export default function BankPage() {
  const accounts = useQuery(accountsQuery())
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const stack = useDecisionStack()
  const mayImport = useCan('bank.import')
  const close = () => setOpened(null)
  useWideWork()
  const importFiles = (files: File[]) =>
    setOpened((now) => ({ dialog: 'import', files: [...(now?.dialog === 'import' ? now.files : []), ...files] }))
  const isDragging = useFileDrop(importFiles, mayImport && (opened === null || opened.dialog === 'import'))
  usePrefetch(accounts.isSuccess, ImportDialog, AccountDialog, ExactDialog, PolicyDialog)
  const all = accounts.data?.accounts
  const { chosen, choose } = useChosenAccount(all)
  return (
    <>
      {all ? (
        <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(36rem,1fr)] page-scrolls:block print:block">
          <div>
            <RefreshFailure what="The bank accounts" query={accounts} className="m-3" />
          </div>
          {all.length > 0 ? (
            <Accounts accounts={all} chosen={chosen} onChoose={choose} onOpen={setOpened} stack={stack} />
          ) : (
            <NoAccounts onAdd={() => setOpened({ dialog: 'account', account: null })} />
          )}
        </div>
      ) : accounts.error ? (
        <LoadFailure size="page" what="The bank accounts" query={accounts} />
      ) : (
        <LoadingAccounts />
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
        <TogetherDialogs {...{ opened, setOpened, stack }} accountId={chosen?.id} />
        {opened?.dialog === 'policy' && <PolicyDialog onClose={close} />}
      </LazyBoundary>
    </>
  )
}

interface TogetherDialogsProps {
  opened: OpenDialog | null
  setOpened: Dispatch<SetStateAction<OpenDialog | null>>
  stack: DecisionStack
  accountId: string | undefined
}

/** Applies many lines together, and undoes them together. */
function TogetherDialogs({ opened, setOpened, stack, accountId }: TogetherDialogsProps) {
  // Another dialog may have taken its place meanwhile.
  const close = (dialog: OpenDialog['dialog']) => () => setOpened((now) => (now?.dialog === dialog ? null : now))
  if (opened?.dialog === 'undo')
    return <UndoBatchDialog batch={opened.batch} onClose={close('undo')} onUndone={stack.remove} />
  if (opened?.dialog !== 'exact') return null
  return (
    <ExactDialog
      accountId={accountId}
      onApplied={stack.push}
      onUndo={(batch) => setOpened({ dialog: 'undo', batch })}
      onClose={close('exact')}
      onPolicy={() => setOpened({ dialog: 'policy' })}
    />
  )
}

/** As high as the bar and the strip of an account, over its first lines. */
const LoadingAccounts = () => (
  <div>
    <output className="sr-only">Loading...</output>
    <div className="gutter flex h-12 items-center gap-3 border-b">
      <Skeleton className="h-6 w-56" />
      <Skeleton className="h-6 w-64 max-phone:hidden" />
    </div>
    <div className="gutter flex h-11 items-center border-b bg-canvas">
      <Skeleton className="h-6 w-120 max-w-full" />
    </div>
    <LoadingRows />
  </div>
)

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

/** Says, while files are dragged over the page, what dropping them does. */
const DropHint = () => (
  <div className="pointer-events-none fixed inset-0 z-40 grid animate-fade place-items-center bg-scrim p-6">
    <p className="flex items-center gap-2.5 rounded-l border-2 border-dashed border-accent bg-raised px-8 py-6 text-16 font-medium shadow-dialog">
      <Upload aria-hidden className="size-5 text-accent-ink" />
      Drop statement files to import them
    </p>
  </div>
)

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Takes files that are dropped anywhere on the page, and says whether some are dragged over it. */
function useFileDrop(onFiles: (files: File[]) => void, isEnabled: boolean): boolean {
  const [isDragging, setDragging] = useState(false)
  const take = useEffectEvent((files: File[]) => onFiles(files))
  useEffect(() => {
    if (!isEnabled) return
    const stop = new AbortController()
    const { signal } = stop
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setDragging(true)
    }
    const leave = (event: DragEvent) => {
      // Null when the pointer leaves the window.
      if (event.relatedTarget === null) setDragging(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setDragging(false)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) take(files)
    }
    window.addEventListener('dragenter', over, { signal })
    window.addEventListener('dragover', over, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => {
      stop.abort()
      setDragging(false)
    }
  }, [isEnabled])
  return isDragging
}
