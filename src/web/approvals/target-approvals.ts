import { approvalRoutes, type ApprovalAction, type ApprovalTarget } from '#contract/approvals.ts'
import type { Approval } from '#contract/schemas/approvals.ts'
import { buildQuery } from '#web/api.ts'

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
