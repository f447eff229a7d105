import { approvalRoutes, approvalTexts, readApprovalDesign, type ApprovalAction } from '#contract/approvals.ts'
import type { ApprovalRule, RuleChange } from '#contract/schemas/approvals.ts'
import { roleLabels } from '#contract/permissions.ts'
import { call, describeError } from '#web/api.ts'
import { compareAmounts, formatAmount } from '#web/bank/amounts.ts'
import { requestLabel, useApprovalNeed } from '#web/approvals/approval-need.ts'
import { useChange } from '#web/changes/use-change.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Note } from '#web/ui/note.tsx'
import { refetchRules } from './queries.ts'

const listFormat = new Intl.ListFormat('en-US')

/** A rule in a few words: “From 5,000.00 EUR, if requested by Finance”. */
export function describeRule({ isOn, fromAmount, currency, roles }: RuleChange): string {
  if (!isOn) return 'No approval needed'
  const amount = fromAmount === null ? 'Always' : `From ${formatAmount(fromAmount)} ${currency ?? ''}`
  return roles === null
    ? amount
    : `${amount}, if requested by ${listFormat.format(roles.map((role) => roleLabels[role]))}`
}

/** Each pays an order, so a rule for one alone stops nobody: the other does the same. */
const waysToPay: readonly ApprovalAction[] = ['mark_order_paid', 'apply_payment']

/** The other action that does the same as this one. */
export const findOtherWay = (action: ApprovalAction): ApprovalAction | undefined =>
  waysToPay.includes(action) ? waysToPay.find((other) => other !== action) : undefined

const isForEachRole = (given: ApprovalRule, other: ApprovalRule) =>
  given.roles === null || (other.roles ?? other.able).every((role) => given.roles?.includes(role))

/** Whether something that `other` lets wait passes by `given`. */
function isLooser(given: ApprovalRule, other: ApprovalRule): boolean {
  if (!other.isOn) return false
  if (!given.isOn || !isForEachRole(given, other)) return true
  if (given.fromAmount === null) return false
  return (
    other.fromAmount === null ||
    given.currency !== other.currency ||
    compareAmounts(given.fromAmount, other.fromAmount) > 0
  )
}

/** A rule, and the one for the same money that lets more pass. */
export interface RuleGap {
  rule: ApprovalRule
  looser: ApprovalRule
}

export function findRuleGap(rules: readonly ApprovalRule[]): RuleGap | null {
  const [first, second] = waysToPay.map((action) => rules.find((rule) => rule.action === action))
  if (!first || !second) return null
  if (isLooser(second, first)) return { rule: first, looser: second }
  return isLooser(first, second) ? { rule: second, looser: first } : null
}

const labelOf = ({ action }: ApprovalRule) => readApprovalDesign(action).label

/** Warns of a rule that one operator goes round, with a button that closes the gap. */
export function RuleGapNote({ gap: { rule, looser } }: { gap: RuleGap }) {
  const { fromAmount, currency, roles } = rule
  const change = useChange({
    entity: looser,
    send: ({ action, version }) =>
      call(approvalRoutes.saveRule, {
        params: { action },
        body: { isOn: true, fromAmount, currency, roles },
        ifMatch: version,
      }),
    refetch: refetchRules,
    success: approvalTexts.ruleSaved,
    describe: (reply) => `${labelOf(looser)}: ${describeRule(reply.rule)}`,
    failure: (error) => describeError(error, 'Failed to save the rule'),
  })
  const need = useApprovalNeed('set_approval_rule')
  return (
    <Note tone="warning" role="note" className="mb-3 max-w-240">
      <p>
        One operator alone can still pay an order. “{labelOf(rule)}” says: {describeRule(rule)}. “{labelOf(looser)}”,
        which pays an order too, also from a statement file that the operator has written, says: {describeRule(looser)}.
      </p>
      <ChangeButton size="small" className="mt-2 text-ink" disabled={change.isPending} onClick={change.apply}>
        {need.reason === null ? 'Set the Same Rule' : `${requestLabel} of the Same Rule`}
      </ChangeButton>
      {need.reason !== null && <p className="mt-2">{need.reason}</p>}
      {change.refusal !== null && <p className="mt-2">{change.refusal}</p>}
    </Note>
  )
}
