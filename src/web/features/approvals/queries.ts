import type { QueryClient } from '@tanstack/react-query'
import { approvalRoutes } from '#contract/approvals.ts'
import type { ApprovalRule } from '#contract/schemas/approvals.ts'
import { ApiError, buildQuery } from '#web/api.ts'

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
