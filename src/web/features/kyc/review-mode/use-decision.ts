import { useQueryClient } from '@tanstack/react-query'
import { kycMove } from '#contract/kyc-moves.ts'
import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import type { ReviewBody, Verification } from '#contract/schemas/kyc-reviews.ts'
import { ApiError, call, describeChangeRefusal, describeError } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { renderKycOutcome } from '#web/members/toast-lines.tsx'
import { refetchMembers } from '#web/members/refetch.ts'
import { toast } from '#web/ui/toast.ts'

interface DecisionHandlers {
  onDone: () => void
  /** Another operator was first. The message says who and when. */
  onConflict: (message: string) => void
}

/** Sends the decision on a case with the version that was shown (product 8.4). */
export function useDecision({ onDone, onConflict }: DecisionHandlers) {
  const client = useQueryClient()
  const decision = useSingleMutation({
    mutationFn: ({ of: { id, version }, body }: { of: Verification; body: ReviewBody }) =>
      call(kycReviewRoutes.review, { params: { id }, body, ifMatch: version }),
    onSuccess: (reply, { body }) => {
      toast({ tone: 'success', title: kycMove(body.action).done, description: renderKycOutcome(reply) })
      void refetchMembers(client)
      onDone()
    },
    onSent: onDone,
    failure: 'Failed to process KYC review',
    onError: (error) => isDecided(error) && onConflict(describeError(error)),
  })
  return {
    decide: (of: Verification, body: ReviewBody) => decision.mutate({ of, body }),
    isPending: decision.isPending,
    refusal: decision.error && !isDecided(decision.error) ? describeChangeRefusal(decision.error) : null,
    /** The version that was refused as outdated. Claiming the case again fixes that. */
    staleVersion: readErrorCode(decision.error) === 'stale' ? decision.variables?.of.version : undefined,
  }
}

/** Whether the operator can no longer decide the case: a 409 that is not an outdated version. */
const isDecided = (error: unknown) =>
  error instanceof ApiError && error.status === 409 && readErrorCode(error) !== 'stale'

const readErrorCode = (error: unknown) => (error instanceof ApiError ? error.reply?.code : undefined)
