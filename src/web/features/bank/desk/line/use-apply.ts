import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { bankRoutes } from '#contract/bank.ts'
import type { ReplyOf } from '#contract/route.ts'
import { allocationRoutes, allocationTexts } from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankAllocation, NewAllocation } from '#contract/schemas/bank-allocations.ts'
import type { CandidateOrder } from '#contract/schemas/bank-candidates.ts'
import type { ApprovalAction } from '#contract/approvals.ts'
import { ApiError, buildQuery, call, describeChangeRefusal, describeError, isOutcomeUnknown } from '#web/api.ts'
import { refetchBank } from '#web/bank/queries.ts'
import { showFailure, showSentForApproval } from '#web/changes/change-toasts.ts'
import { refetchReads } from '#web/refetch-reads.ts'
import { toast } from '#web/ui/toast.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { isWork } from './candidate-allocations.ts'
import { describeAllocations } from './allocation-words.ts'
import { lineQuery } from '#web/features/bank/desk/queries.ts'

/** What this operator decided on a line, to be undone at once. */
export interface Decision {
  lineId: string
  allocations: BankAllocation[]
}

interface ApplyHandlers {
  onApplied: (decision: Decision) => void
  onUndo: (decision: Decision) => void
  /** A second operator approves it first: the line stays work. */
  onSent: () => void
}

/** Refusals for what an order is like now. The allocations may be corrected at once, with its figures of now. */
const orderRefusals: ReadonlySet<string | undefined> = new Set(['order_state', 'order_amount', 'order_currency'])
const isOrderRefusal = (error: unknown) => error instanceof ApiError && orderRefusals.has(error.reply?.code)

/** The line is another one now, or another operator's. */
const isOutdated = (error: unknown) => error instanceof ApiError && error.status === 409 && !isOrderRefusal(error)

/** Fetches the open line again, with what was scored for it. */
const refetchLine = (client: QueryClient, id: string, throwOnError: boolean) =>
  client.refetchQueries({ queryKey: lineQuery(id).queryKey, type: 'active' }, { throwOnError })

/** Takes a line that is settled out of the lists of work at once, so that nothing leads back to it before they are fetched again. */
function takeOutOfWork(client: QueryClient, line: BankLine) {
  if (isWork(line)) return
  const { queryKey } = buildQuery(bankRoutes.lines, { query: {} })
  client.setQueriesData<ReplyOf<typeof bankRoutes.lines>>(
    { predicate: ({ queryKey: [first, search] }) => first === queryKey[0] && /[?&]work=/.test(String(search)) },
    (now) => {
      const lines = now?.lines.filter(({ id }) => id !== line.id)
      return now && lines && { ...now, lines, total: now.total - (now.lines.length - lines.length) }
    },
  )
}

const showApplied = (allocations: readonly BankAllocation[], undo: () => void) =>
  toast({
    tone: 'success',
    title: allocationTexts.applied,
    description: describeAllocations(allocations),
    action: { label: 'Undo', run: undo },
  })

/** Allocates a line's money, with the version of the line that is shown (product 8.4). */
export function useApply(line: BankLine, { onApplied, onUndo, onSent }: ApplyHandlers) {
  const client = useQueryClient()
  // `isPending` changes with the next render, which may come after the second press.
  const isSent = useRef(false)
  const change = useMutation({
    mutationFn: (body: { allocations: NewAllocation[]; reason: string | null }) =>
      call(allocationRoutes.apply, { params: { id: line.id }, body, ifMatch: line.version }),
    onSuccess: ({ allocations, line: applied }) => {
      takeOutOfWork(client, applied)
      const decision = { lineId: line.id, allocations }
      showApplied(allocations, () => onUndo(decision))
      onApplied(decision)
      void refetchBank(client)
      // Orders change with the money on them.
      void refetchReads(client, '/api/orders')
    },
    onError: async (error) => {
      if (showSentForApproval(error)) return onSent()
      showFailure(error, describeError(error, 'Failed to apply the payment'))
      if (isOrderRefusal(error)) await refetchLine(client, line.id, false)
    },
    onSettled: () => {
      isSent.current = false
    },
  })
  const reload = useMutation({
    mutationFn: () => refetchLine(client, line.id, true),
    onSuccess: () => {
      change.reset()
      void refetchBank(client)
    },
  })
  const failed = reload.error ?? change.error
  const mustReload = isOutdated(change.error) || isOutcomeUnknown(change.error)
  return {
    send(allocations: NewAllocation[], reason: string | null) {
      if (isSent.current || mustReload) return
      isSent.current = true
      change.mutate({ allocations, reason })
    },
    isPending: change.isPending,
    refusal: failed ? describeChangeRefusal(failed) : null,
    /** The line is not as it is shown: it has to be looked at again. */
    mustReload,
    conflict: {
      isOffered: mustReload,
      isReloading: reload.isPending,
      wasReloaded: reload.isSuccess && !change.error,
      reload: () => reload.mutate(),
    },
    /** Forgets a refusal, for another try with something else. */
    forget: () => {
      if (mustReload || change.isPending || (!failed && !reload.isSuccess)) return
      change.reset()
      reload.reset()
    },
  }
}
export type Apply = ReturnType<typeof useApply>

/** Orders in another currency than the line's count for nothing. */
export const useLineNeed = (
  { amount, currency }: Pick<BankLine, 'amount' | 'currency'>,
  orders: readonly CandidateOrder[] = [],
  action: Extract<ApprovalAction, 'apply_payment' | 'undo_payment'> = 'apply_payment',
) =>
  useApprovalNeed(
    action,
    { amount, currency },
    ...orders
      .filter((order) => order.currency === currency)
      .map(({ investmentAmount }) => ({ amount: investmentAmount, currency })),
  )
