import { CircleAlert, CircleCheck, FileText, Info, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { cn } from '#web/lib/cn.ts'
import { formatFileSize } from '#web/lib/file-size.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Select } from '#web/ui/select.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { CsvForm } from './csv-form.tsx'
import { ImportResult } from './import-result.tsx'
import type { FileImport, ImportActions, NamedAccount } from './use-file-imports.ts'

/** Asks for an account to be added, with what its file says of it. Then that file is read again. */
export type AddAccount = (given: { id: number; named: NamedAccount | undefined }) => void

interface ItemProps {
  item: FileImport
  actions: ImportActions
  accounts: BankAccount[]
  onAddAccount: AddAccount
}

/** A file, and its outcome. */
export function FileImportItem({ item, ...rest }: ItemProps) {
  const { file, state } = item
  return (
    <li className="rounded-l border px-4 py-3 text-13" aria-busy={state.step === 'sending' || undefined}>
      <div className="flex items-center gap-2.5">
        <StepIcon item={item} />
        <bdi title={file.name} className="min-w-0 flex-1 truncate font-medium">
          {file.name}
        </bdi>
        <span className="shrink-0 text-12 text-quiet tabular-nums">{formatFileSize(file.size)}</span>
      </div>
      <ItemStep item={item} {...rest} />
    </li>
  )
}

function StepIcon({ item: { state } }: { item: FileImport }) {
  if (state.step === 'sending') return <Spinner />
  const [Icon, ink] =
    state.step === 'done'
      ? [CircleCheck, 'text-success-ink']
      : state.step !== 'refused'
        ? [FileText, 'text-quiet']
        : state.isKnown
          ? [Info, 'text-info-ink']
          : [CircleAlert, 'text-danger-ink']
  return <Icon aria-hidden className={cn('size-4 shrink-0', ink)} />
}

function ItemStep({ item, actions, accounts, onAddAccount }: ItemProps): ReactNode {
  const { id, state, accountId } = item
  const account = accounts.find((each) => each.id === accountId)
  if (state.step === 'waiting') return <p className="mt-1 text-quiet">Waits for the files before it</p>
  if (state.step === 'sending') return <Progress item={item} sent={state.sent} onStop={actions.stop} />
  if (state.step === 'done')
    return (
      <ImportResult reply={state.reply} accounts={accounts} onTake={(rows) => actions.take(id, rows, state.reply)} />
    )
  if (state.step === 'account') return <AccountChoice {...{ item, actions, accounts, onAddAccount }} />
  if (state.step === 'columns' && account)
    return (
      <CsvForm
        file={item.file}
        account={account}
        needed={state.needed}
        onSaved={() => actions.start(id)}
        onCancel={() => actions.remove(id)}
      />
    )
  if (state.step !== 'refused') return null
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-2">
      <p role="alert" className={cn('min-w-0 flex-1 basis-60 wrap-anywhere', !state.isKnown && 'text-danger-ink')}>
        {state.message}
      </p>
      {state.unknownAccount && (
        <AddAccountButton item={item} named={state.unknownAccount} size="small" onAddAccount={onAddAccount} />
      )}
      {state.isRepeatable && !state.isKnown && (
        <Button size="small" onClick={() => actions.start(id)}>
          Try Again
        </Button>
      )}
    </div>
  )
}

interface AddAccountButtonProps extends Pick<ItemProps, 'item' | 'onAddAccount'> {
  named?: NamedAccount
  /** As large as the controls beside it. */
  size?: 'small'
}

/** Adds the account of a file, which is then read. */
const AddAccountButton = ({ item: { id, file }, named, size, onAddAccount }: AddAccountButtonProps) => (
  <PermissionGate permission="bank.manage">
    <ChangeButton
      {...(size && { size })}
      aria-haspopup="dialog"
      aria-label={`Add Account: ${file.name}`}
      onClick={() => onAddAccount({ id, named })}
    >
      <Plus aria-hidden />
      Add Account
    </ChangeButton>
  </PermissionGate>
)

function Progress({ item, sent, onStop }: { item: FileImport; sent: number; onStop: () => void }) {
  return (
    <div className="mt-2 flex items-center gap-3">
      {/* A share that is sent is not yet read. */}
      <progress
        aria-label={`Sending ${item.file.name}`}
        value={sent}
        className="share-progress h-1.5 min-w-0 flex-1 text-accent"
      />
      <span className="text-12 text-quiet tabular-nums">
        {sent < 1 ? `${Math.floor(sent * 100)}% sent` : 'Reading the file'}
      </span>
      <Button size="small" onClick={onStop}>
        Stop
      </Button>
    </div>
  )
}

/** A CSV file is read for its account, which it may not name. */
function AccountChoice({ item, actions, accounts, onAddAccount }: ItemProps) {
  const { id, accountId, file, state } = item
  const refusal = state.step === 'account' ? state.refusal : undefined
  const options = accounts
    .filter(({ isActive }) => isActive)
    .map(({ id: value, name, account, currency }) => ({
      value,
      label: `${name} · ${formatAccountNumber(account)} · ${currency}`,
    }))
  return (
    <div className="mt-2">
      {refusal && (
        <p role="alert" className="mb-2 wrap-anywhere text-danger-ink">
          {refusal}
        </p>
      )}
      <p className="text-quiet">
        {options.length > 0
          ? 'Which account is this CSV file of?'
          : 'Add the account that this CSV file is of, and it is imported.'}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {options.length > 0 && (
          <>
            <Select
              aria-label={`Account of ${file.name}`}
              options={[{ value: '', label: 'Choose an account' }, ...options]}
              value={accountId}
              onChange={({ target }) => actions.chooseAccount(id, target.value)}
              className="min-w-0 flex-1 basis-60"
            />
            <Button
              variant="primary"
              disabled={accountId === ''}
              aria-label={`Import ${file.name}`}
              onClick={() => actions.start(id)}
            >
              Import
            </Button>
          </>
        )}
        <AddAccountButton {...{ item, onAddAccount }} />
      </div>
    </div>
  )
}
