import { useState } from 'react'
import { approvalRoutes, approvalTexts, readApprovalDesign } from '#contract/approvals.ts'
import { type Role, roleLabels } from '#contract/permissions.ts'
import type { ApprovalRule, RuleChange } from '#contract/schemas/approvals.ts'
import { call, describeError } from '#web/api.ts'
import { formatAmount, readAmount } from '#web/bank/amounts.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { type Problems, useChange } from '#web/changes/use-change.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { describeRule, findOtherWay } from './rule-gap.tsx'
import { fetchRule, refetchRules } from './queries.ts'

interface RuleDraft {
  isOn: boolean
  amount: string
  currency: string
  roles: readonly Role[]
}

const readDraft = (rule: ApprovalRule): RuleDraft => ({
  isOn: rule.isOn,
  amount: rule.fromAmount === null ? '' : formatAmount(rule.fromAmount),
  currency: rule.currency ?? 'EUR',
  roles: rule.roles ?? rule.able,
})

/**
 * An amount as the screens write it, or without its groups. Null for what is not one. `5,000` is thousands here: no
 * amount that a rule begins at has three places.
 */
function readRuleAmount(typed: string): string | null {
  const given = typed.trim()
  const isGrouped = /^\d{1,3}(,\d{3})+$/.test(given)
  return readAmount(isGrouped ? `${given}.00` : given).amount ?? null
}

/** What is wrong with what was typed. */
function findProblems({ isOn, amount, currency, roles }: RuleDraft): Problems {
  if (!isOn) return {}
  const hasAmount = amount.trim() !== ''
  return {
    ...(hasAmount && readRuleAmount(amount) === null && { amount: 'Must be an amount such as 5,000.00' }),
    ...(hasAmount && !/^[A-Z]{3}$/.test(currency.trim().toUpperCase()) && { currency: 'Such as EUR' }),
    ...(roles.length === 0 && { roles: 'Choose at least one role' }),
  }
}

function buildChange({ isOn, amount, currency, roles }: RuleDraft, all: readonly Role[]): RuleChange {
  const fromAmount = readRuleAmount(amount)
  return {
    isOn,
    fromAmount,
    currency: fromAmount && currency.trim().toUpperCase(),
    roles: all.every((role) => roles.includes(role)) ? null : [...roles],
  }
}

/** Sets whether an action needs an approval, from which amount, and of whom. */
export default function RuleDialog({ rule, onClose }: { rule: ApprovalRule; onClose: () => void }) {
  const { label, hasAmount } = readApprovalDesign(rule.action)
  const otherWay = findOtherWay(rule.action)
  const [draft, setDraft] = useState(() => readDraft(rule))
  const edit = (change: Partial<RuleDraft>) => setDraft((now) => ({ ...now, ...change }))
  const change = useChange({
    entity: rule,
    check: () => findProblems(draft),
    send: ({ action, version }) =>
      call(approvalRoutes.saveRule, { params: { action }, body: buildChange(draft, rule.able), ifMatch: version }),
    fetchFresh: fetchRule,
    refetch: refetchRules,
    success: approvalTexts.ruleSaved,
    describe: (reply) => `${label}: ${describeRule(reply.rule)}`,
    failure: (error) => describeError(error, 'Failed to save the rule'),
    onDone: onClose,
  })
  const need = useApprovalNeed('set_approval_rule')
  return (
    <FormDialog
      title={label}
      description="The change is recorded, and shows up among the security events."
      action={need.nameAction({ label: 'Save Rule' })}
      {...change.form}
      onClose={onClose}
    >
      <ApprovalNote need={need} />
      <div className="grid gap-4">
        <Checkbox className="min-h-6" isChecked={draft.isOn} onChange={(isOn) => edit({ isOn })}>
          Needs the approval of a second operator
        </Checkbox>
        {draft.isOn && otherWay && (
          <p className="text-13 text-quiet">
            “{readApprovalDesign(otherWay).label}” pays an order too. Set the same rule for it, else one operator goes
            round this one.
          </p>
        )}
        {draft.isOn && hasAmount && <AmountFields {...{ draft, edit }} problems={change.problems} />}
        {draft.isOn && <RolesField roles={rule.able} {...{ draft, edit }} problems={change.problems} />}
      </div>
      <ConflictHelp conflict={change.conflict}>{`Now: ${describeRule(change.current)}.`}</ConflictHelp>
    </FormDialog>
  )
}

interface RuleFieldsProps {
  draft: RuleDraft
  problems: Problems
  edit: (change: Partial<RuleDraft>) => void
}

const AmountFields = ({ draft, problems, edit }: RuleFieldsProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-3">
    <TextField
      label="From this amount on"
      optional
      error={problems['amount']}
      hint="Empty: whatever the amount. Other currencies always need an approval."
      inputMode="decimal"
      autoComplete="off"
      value={draft.amount}
      onType={(text) => edit({ amount: text })}
    />
    <TextField
      label="Currency"
      error={problems['currency']}
      maxLength={3}
      autoComplete="off"
      value={draft.currency}
      onType={(text) => edit({ currency: text })}
    />
  </div>
)

const RolesField = ({ roles: all, draft: { roles }, problems, edit }: RuleFieldsProps & { roles: readonly Role[] }) => (
  <fieldset>
    <legend className="mb-1.5 text-13 font-medium">When requested by</legend>
    <div className="grid gap-1.5">
      {all.map((role) => (
        <Checkbox
          key={role}
          className="min-h-6"
          isChecked={roles.includes(role)}
          onChange={(isChosen) =>
            edit({ roles: all.filter((each) => (each === role ? isChosen : roles.includes(each))) })
          }
        >
          {roleLabels[role]}
        </Checkbox>
      ))}
    </div>
    <FieldError>{problems['roles']}</FieldError>
  </fieldset>
)
