import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Stamp, type LucideIcon } from 'lucide-react'
import { approvalDesigns, approvalRoutes, type ApprovalAction, type ApprovalTarget } from '#contract/approvals.ts'
import type { OwnRule, Approval } from '#contract/schemas/approvals.ts'
import { buildQuery } from '#web/api.ts'
import { compareAmounts, formatAmount } from '#web/bank/amounts.ts'

/** The latest requests about a target, whatever became of them. */
export const targetApprovalsQuery = (type: ApprovalTarget, id: string) =>
  buildQuery(approvalRoutes.list, { query: { targetType: type, targetId: id } })

/** A change as the page of its target names it. */
export interface ShownChange {
  /** What it may have been. */
  actions: readonly ApprovalAction[]
  by: string | null
  at: string | null
}

/** A change and its approval are stored in one transaction, so little is between their times. */
const longestBetweenMs = 10_000

/** The approval by which a change was made. Undefined for one that needed none. */
export const findApproval = (approvals: readonly Approval[], { actions, by, at }: ShownChange): Approval | undefined =>
  approvals.find(
    ({ state, action, requestedBy, closedAt }) =>
      state === 'approved' &&
      actions.includes(action) &&
      requestedBy === by &&
      closedAt !== null &&
      at !== null &&
      Math.abs(Date.parse(closedAt) - Date.parse(at)) < longestBetweenMs,
  )

/** The rules that the operator's own changes fall under. Fetched once, then at each change on the event stream. */
export const ownRulesQuery = () => buildQuery(approvalRoutes.ownRules)

/** What a change is about, as a rule compares it. Decimal text. */
export interface RuleMoney {
  amount: string
  currency: string
}

/** Whether a rule covers a change of this money, as the server compares it. What cannot be compared is covered. */
export const isCoveredBy = ({ fromAmount, currency }: OwnRule, money?: RuleMoney): boolean =>
  fromAmount === null || money?.currency !== currency || compareAmounts(money.amount, fromAmount) >= 0

/** A rule with its action and amount: “Cancel an order” from 5,000.00 EUR on, and in any other currency. */
function nameRule({ action, fromAmount, currency }: OwnRule): string {
  const label = `“${approvalDesigns[action].label}”`
  return fromAmount === null
    ? label
    : `${label}, from ${formatAmount(fromAmount)} ${currency ?? ''} on and in any other currency,`
}

export const requestLabel = 'Request Approval'

interface DialogAction {
  label: string
  icon?: LucideIcon
  tone?: 'primary' | 'danger'
  disabled?: boolean
}

/** Whether a change is done at once or sent for approval, said before it is confirmed. The server judges it again. */
export interface ApprovalNeed {
  /** Why it becomes a request, in a sentence. Null where it is made at once, and while the rules are not known. */
  reason: string | null
  /** The action of a dialog, named as a request where it becomes one. */
  nameAction: (action: DialogAction) => DialogAction
}

/** Whether a change needs an approval, by the money that it is about. Null: no rule is for it. */
export function useApprovalNeed(
  action: ApprovalAction | null,
  ...money: readonly (RuleMoney | undefined)[]
): ApprovalNeed & { rule: OwnRule | undefined } {
  const { data } = useQuery(ownRulesQuery())
  const rule = data?.rules.find((each) => each.action === action)
  const isNeeded = rule !== undefined && (money.length === 0 || money.some((each) => isCoveredBy(rule, each)))
  return {
    rule,
    reason: isNeeded
      ? `${nameRule(rule)} needs the approval of a second operator: this sends a request, and nothing is changed before it is approved.`
      : null,
    nameAction: (given) => (isNeeded ? { ...given, label: requestLabel, icon: Stamp } : given),
  }
}

/** Of a change of one thing that may wait for an approval already: then its action is off. */
export interface TargetNeed extends ApprovalNeed {
  target: ThingTarget
}
export interface ThingTarget {
  type: ApprovalTarget
  id: string
}

export function useTargetNeed(action: ApprovalAction, target: ThingTarget, ...money: readonly RuleMoney[]): TargetNeed {
  const { reason, nameAction } = useApprovalNeed(action, ...money)
  const isWaiting = useWaitingActions(target.type, target.id).has(action)
  return {
    target,
    reason: isWaiting ? null : reason,
    nameAction: (given) => nameAction({ ...given, disabled: isWaiting || given.disabled === true }),
  }
}

/** Fetches the rules with the screen, so that its dialogs say at once whether a change needs an approval. */
export function usePrefetchedRules(): void {
  usePrefetchQuery(ownRulesQuery())
}

/** The actions that wait for an approval on a target: they are not offered again. None while that is not known. */
export function useWaitingActions(type: ApprovalTarget, id: string): ReadonlySet<ApprovalAction> {
  const { data } = useQuery(targetApprovalsQuery(type, id))
  return new Set(data?.approvals.filter(({ state }) => state === 'open').map(({ action }) => action))
}
