import { useState } from 'react'
import { bankRoutes, bankTexts } from '#contract/bank.ts'
import { findIbanProblem } from '#contract/iban.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { call, describeError } from '#web/api.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { AccountFields, type AccountDraft, type AccountProblems } from './account-fields.tsx'
import { refetchBank } from '#web/bank/queries.ts'
import { fetchAccount } from './queries.ts'
import type { NamedAccount } from './use-file-imports.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'

function describeNumberProblem(account: string): AccountProblems {
  const problem = findIbanProblem(account)
  return problem === null ? {} : { account: `Compare it with your bank's: ${problem}` }
}

function findProblems({ name, account, currency }: AccountDraft): AccountProblems {
  return {
    ...(name.trim() === '' && { name: 'Required' }),
    ...(account.trim() === '' ? { account: 'Required' } : describeNumberProblem(account)),
    ...(!/^[A-Z]{3}$/.test(currency) && { currency: 'Must be a currency such as EUR' }),
  }
}

const readAccount = (account: BankAccount | null, named: NamedAccount | undefined): AccountDraft => ({
  name: account?.name ?? '',
  account: account?.account ?? formatAccountNumber(named?.account ?? ''),
  // A file may name no currency.
  currency: account?.currency ?? (named?.currency || 'EUR'),
  isActive: account?.isActive ?? true,
  keepsColumns: true,
})

/** What is sent of a known account: only what was changed. */
function buildChange(typed: AccountDraft, account: BankAccount) {
  const [name, number] = [typed.name.trim(), typed.account.trim()]
  return {
    ...(name !== account.name && { name }),
    ...(number !== account.account && { account: number }),
    ...(typed.currency !== account.currency && { currency: typed.currency }),
    ...(typed.isActive !== account.isActive && { isActive: typed.isActive }),
    ...(!typed.keepsColumns && { csvProfile: null }),
  }
}

interface AccountDialogProps {
  /** Null: a new one. */
  account: BankAccount | null
  /** What a file says of the new one. */
  named?: NamedAccount | undefined
  onClose: () => void
  /** The lists have the new account. */
  onAdded: (account: BankAccount) => void
}

/** Adds a bank account or changes one. A refusal stays to be read, and what was typed stays. */
export default function AccountDialog({ account, named, onClose, onAdded }: AccountDialogProps) {
  const [typed, setTyped] = useState(() => readAccount(account, named))
  const change = useChange({
    entity: account,
    check: () => findProblems(typed),
    send: async (current) => {
      if (current === null) {
        const { name, account: number, currency } = typed
        return call(bankRoutes.createAccount, { body: { name: name.trim(), account: number.trim(), currency } })
      }
      const body = buildChange(typed, current)
      return call(bankRoutes.updateAccount, { params: { id: current.id }, body, ifMatch: current.version })
    },
    fetchFresh: async (current, client) => current && fetchAccount(current, client),
    refetch: refetchBank,
    success: account ? bankTexts.accountSaved : bankTexts.accountAdded,
    describe: (reply) => reply.account.name,
    failure: (error) =>
      describeError(error, account ? 'Failed to save the bank account' : 'Failed to add the bank account'),
    onDone: (reply) => {
      onClose()
      if (account === null && reply) onAdded(reply.account)
    },
    fields: ['name', 'account', 'currency'],
  })
  const takeChange = (changed: Partial<AccountDraft>) => {
    setTyped((now) => ({ ...now, ...changed }))
    change.clearProblems(changed)
  }
  return (
    <FormDialog
      title={account ? `Edit ${account.name}` : 'Add Account'}
      description={account ? undefined : 'Statement files name their account by this number and currency.'}
      action={{ label: account ? 'Save' : 'Add Account' }}
      {...change.form}
      onClose={onClose}
    >
      <AccountFields account={account} typed={typed} problems={change.problems} onChange={takeChange} />
      <ConflictHelp conflict={change.conflict}>
        {change.current && `Now ${change.current.name}, ${change.current.isActive ? 'active' : 'switched off'}.`}
      </ConflictHelp>
    </FormDialog>
  )
}
