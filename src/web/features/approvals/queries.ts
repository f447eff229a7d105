import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { approvalActions, approvalRoutes, approvalStates, type ApprovalView } from '#contract/approvals.ts'
import { pageSize } from '#contract/common.ts'
import type { ApprovalRule } from '#contract/schemas/approvals.ts'
import { ApiError, buildQuery } from '#web/api.ts'

interface ApprovalListState {
  /** A state; empty is what waits, `all` is not a filter. */
  status: string
  page: number
}

/** One page of requests. The old rows stay until the new ones come. */
export const approvalsQuery = (
  { status, page }: ApprovalListState,
  view: ApprovalView | undefined,
  action: string | undefined,
) => ({
  ...buildQuery(approvalRoutes.list, {
    query: {
      state:
        status === 'all'
          ? undefined
          : (approvalStates.find((known) => known === status) ?? (view === 'answered' ? undefined : 'open')),
      view,
      action: approvalActions.find((known) => known === action),
      page,
      limit: pageSize,
    },
  }),
  // What is over its time changes without an event.
  staleTime: 0,
  placeholderData: keepPreviousData,
})

export const approvalQuery = (id: string) => buildQuery(approvalRoutes.detail, { params: { id } })

export const isUnknownApproval = (error: unknown) => error instanceof ApiError && error.status === 404

export const rulesQuery = () => buildQuery(approvalRoutes.rules)

/** A rule as it is now. */
export async function fetchRule({ action }: ApprovalRule, client: QueryClient): Promise<ApprovalRule> {
  const { rules } = await client.fetchQuery({ ...rulesQuery(), staleTime: 0 })
  return rules.find((rule) => rule.action === action)!
}

export const refetchRules = (client: QueryClient) => client.invalidateQueries({ queryKey: rulesQuery().queryKey })

/** An approval may have changed anything. */
export const refetchAll = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) => typeof first === 'string' && !first.startsWith('/api/auth/'),
  })
