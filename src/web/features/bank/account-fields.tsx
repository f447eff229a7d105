import { Checkbox } from '#web/ui/checkbox.tsx'
import { findIbanProblem } from '#contract/iban.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { plainText, TextField } from '#web/ui/text-field.tsx'
import { formatAccountNumber } from '#web/lib/account-number.ts'

/** What the operator has typed. */
export interface AccountDraft {
  name: string
  account: string
  currency: string
  isActive: boolean
  /** False forgets how the bank writes CSV. */
  keepsColumns: boolean
}
/** What is wrong, by field. */
export type AccountProblems = Partial<Record<keyof AccountDraft, string | undefined>>

interface AccountFieldsProps {
  /** Null: a new one. */
  account: BankAccount | null
  typed: AccountDraft
  problems: AccountProblems
  onChange: (changed: Partial<AccountDraft>) => void
}

/** Number and currency of an account with lines stay as they are. */
export const AccountFields = (props: AccountFieldsProps) => {
  const { account, typed, problems, onChange } = props
  return (
    <div className="grid gap-4">
      <TextField
        label="Name"
        error={problems.name}
        {...plainText}
        value={typed.name}
        maxLength={100}
        dir="auto"
        placeholder="Client money EUR"
        onType={(text) => onChange({ name: text })}
      />
      {account && account.lines > 0 ? (
        <Facts>
          <Fact name="Number">
            <bdi>{formatAccountNumber(account.account)}</bdi>
          </Fact>
          <Fact name="Currency">{account.currency}</Fact>
        </Facts>
      ) : (
        <NumberFields {...props} />
      )}
      {account && <Switches {...props} account={account} />}
    </div>
  )
}

/** What a number that looks like an IBAN tells while it is typed. */
function describeNumber({ account }: AccountDraft) {
  const problem = findIbanProblem(account)
  return problem && `Compare it with your bank's: ${problem}.`
}

const NumberFields = ({ typed, problems, onChange }: AccountFieldsProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-3 max-phone:grid-cols-1">
    <TextField
      label="IBAN or account number"
      error={problems.account}
      hint={problems.account ? null : describeNumber(typed)}
      {...plainText}
      value={typed.account}
      maxLength={42}
      placeholder="DE89 3704 0044 0532 0130 00"
      onType={(text) => onChange({ account: text })}
    />
    <TextField
      label="Currency"
      error={problems.currency}
      {...plainText}
      value={typed.currency}
      maxLength={3}
      placeholder="EUR"
      onType={(text) => onChange({ currency: text.toUpperCase() })}
    />
  </div>
)

function Switches({ account, typed, onChange }: AccountFieldsProps & { account: BankAccount }) {
  return (
    <div className="grid gap-2.5">
      <Checkbox className="min-h-6" isChecked={typed.isActive} onChange={(isActive) => onChange({ isActive })}>
        Active: takes statements
      </Checkbox>
      {account.csvProfile && (
        <Checkbox
          className="min-h-6"
          isChecked={!typed.keepsColumns}
          onChange={(isForgotten) => onChange({ keepsColumns: !isForgotten })}
        >
          Forget the confirmed columns of its CSV files
        </Checkbox>
      )}
    </div>
  )
}
