import type { ReactNode } from 'react'
import type { BankPolicy, PolicyChange } from '#contract/schemas/bank-policy.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { readAmount } from '#web/bank/amounts.ts'

interface PolicyFieldsProps {
  draft: PolicyDraft
  problems: PolicyProblems
  isDisabled: boolean
  onChange: (changed: Partial<PolicyDraft>) => void
}

/** The rules in plain words: what counts as exact, and what is decided by a person. */
export function PolicyFields(props: PolicyFieldsProps) {
  const { draft, isDisabled, onChange } = props
  const bind = (name: 'autoApply' | 'autoCombined' | 'autoRemainder' | 'reasonForThirdParty') => ({
    isChecked: draft[name],
    isDisabled,
    onChange: (isChecked: boolean) => onChange({ [name]: isChecked }),
  })
  return (
    <div className="space-y-5">
      <Group title="What may be applied together">
        <Rule {...bind('autoApply')} label="Exact lines may be applied together, in one press">
          An operator still presses the button. Off, each line is decided alone.
        </Rule>
        <Rule {...bind('autoCombined')} label="Also exact: several orders of a member, named and paid in one sum" />
        <Rule {...bind('autoRemainder')} label="Also exact: the remaining amount of a part-paid order" />
        <Rule
          isChecked={draft.payerName === 'initial'}
          isDisabled={isDisabled}
          onChange={(isChecked) => onChange({ payerName: isChecked ? 'initial' : 'same' })}
          label="Also exact: a payer with initials, or with one of several names"
        >
          Off, the payer must have the member’s whole name.
        </Rule>
        <NumberField {...props} name="maxAutoAmount" label="Never exact above" hint="An amount; empty for no limit." />
      </Group>
      <Group title="What a person decides">
        <Rule
          {...bind('reasonForThirdParty')}
          label="Money of another payer, or to another than the payer, needs a reason"
        />
        <NumberField
          {...props}
          name="feeTolerance"
          label="Bank fees up to"
          hint="A payment that is less by at most this is still suggested."
        />
        <NumberField
          {...props}
          name="overpaidUpTo"
          label="Put aside by itself up to"
          hint="Smaller overpayments are put aside automatically."
        />
        <NumberField
          {...props}
          name="graceDays"
          label="Days after an order’s end"
          hint="An order may still be paid so long by money that was booked before its end. 0 to 7."
        />
      </Group>
    </div>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="min-w-0 space-y-3">
    <legend className="mb-2 text-13 font-semibold">{title}</legend>
    {children}
  </fieldset>
)

interface RuleProps {
  label: string
  isChecked: boolean
  isDisabled: boolean
  onChange: (isChecked: boolean) => void
  children?: ReactNode
}

const Rule = ({ label, isChecked, isDisabled, onChange, children }: RuleProps) => (
  <label className="flex min-h-6 items-start gap-2.5 text-13">
    <input
      type="checkbox"
      checked={isChecked}
      disabled={isDisabled}
      onChange={({ target }) => onChange(target.checked)}
      className="mt-px size-4 shrink-0 accent-(--accent)"
    />
    <span className="min-w-0">
      {label}
      {children && <span className="block text-12 text-quiet">{children}</span>}
    </span>
  </label>
)

interface NumberFieldProps extends PolicyFieldsProps {
  name: 'feeTolerance' | 'overpaidUpTo' | 'maxAutoAmount' | 'graceDays'
  label: string
  hint: string
}

const NumberField = ({ name, label, hint, draft, problems, isDisabled, onChange }: NumberFieldProps) => (
  <TextField
    label={label}
    hint={hint}
    error={problems[name]}
    optional={name === 'maxAutoAmount'}
    inputMode="decimal"
    autoComplete="off"
    maxLength={16}
    disabled={isDisabled}
    value={draft[name]}
    inputClassName="max-w-40 tabular-nums"
    onType={(text) => onChange({ [name]: text })}
  />
)

type AmountField = 'feeTolerance' | 'overpaidUpTo' | 'maxAutoAmount'

/** The policy as its form holds it: amounts and days as they are typed. */
export type PolicyDraft = Omit<PolicyChange, AmountField | 'graceDays'> & Record<AmountField | 'graceDays', string>
type PolicyProblems = Partial<Record<AmountField | 'graceDays', string | undefined>>

export const readDraft = (policy: BankPolicy): PolicyDraft => ({
  autoApply: policy.autoApply,
  autoCombined: policy.autoCombined,
  autoRemainder: policy.autoRemainder,
  payerName: policy.payerName,
  reasonForThirdParty: policy.reasonForThirdParty,
  feeTolerance: policy.feeTolerance,
  overpaidUpTo: policy.overpaidUpTo,
  maxAutoAmount: policy.maxAutoAmount ?? '',
  graceDays: String(policy.graceDays),
})

/** The amount that was typed, without more digits than the server takes. */
const parse = (typed: string) => readAmount(typed).amount?.match(/^\d{1,13}(?:\.\d+)?$/)?.[0]
const describeProblem = (typed: string) =>
  parse(typed) === undefined ? (readAmount(typed).problem ?? 'Must be an amount such as 35.00') : undefined

export function findPolicyProblems(draft: PolicyDraft): PolicyProblems {
  return {
    feeTolerance: describeProblem(draft.feeTolerance),
    overpaidUpTo: describeProblem(draft.overpaidUpTo),
    maxAutoAmount: draft.maxAutoAmount.trim() === '' ? undefined : describeProblem(draft.maxAutoAmount),
    graceDays: /^[0-7]$/.test(draft.graceDays.trim()) ? undefined : 'Must be 0 to 7',
  }
}

/** The policy to be saved, from a draft without problems. */
export const readPolicy = (draft: PolicyDraft): PolicyChange => ({
  ...draft,
  feeTolerance: parse(draft.feeTolerance) ?? '',
  overpaidUpTo: parse(draft.overpaidUpTo) ?? '',
  maxAutoAmount: parse(draft.maxAutoAmount) ?? null,
  graceDays: Number(draft.graceDays.trim()),
})
