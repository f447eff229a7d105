import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { kycReviewRoutes, type ReviewAction, type ReviewBody, type Verification } from '#contract/kyc-reviews.ts'
import { ApiError, call, isUnauthorized, serverMessage } from '#web/api.ts'
import { refetchMembers } from '#web/members/refetch.ts'
import { toast } from '#web/ui/toast.ts'

/** SPEC section 8. */
const done: Record<ReviewAction, string> = { approve: 'KYC Approved Successfully', reject: 'KYC Status Updated' }

interface Outcome {
  onDone: () => void
  /** Somebody else came first; the server says who and when. */
  onConflict: (message: string) => void
}

/** Sends the decision on a case, meant for it as it was shown (PRODUCT 3.22). */
export function useDecision({ onDone, onConflict }: Outcome) {
  const client = useQueryClient()
  // Known at once, where `isPending` waits for the next render: a key pressed twice decides once.
  const isSent = useRef(false)
  const decision = useMutation({
    mutationFn: ({ of: { id, version }, body }: { of: Verification; body: ReviewBody }) =>
      call(kycReviewRoutes.review, { params: { id }, body, ifMatch: version }),
    onSuccess: (_reply, { body }) => {
      toast({ tone: 'success', title: done[body.action] })
      void refetchMembers(client)
      onDone()
    },
    onError: (error) => {
      isSent.current = false
      // A session that has ended is told by the shared handler (SPEC section 8); no other toast covers it.
      if (isUnauthorized(error)) return
      toast({ tone: 'destructive', title: 'Error', description: 'Failed to process KYC review' })
      if (codeOf(error) === 'conflict') onConflict(serverMessage(error))
    },
  })
  return {
    decide: (of: Verification, body: ReviewBody) => {
      if (isSent.current) return
      isSent.current = true
      decision.mutate({ of, body })
    },
    isPending: decision.isPending,
    refusal: decision.error && codeOf(decision.error) !== 'conflict' ? serverMessage(decision.error) : null,
    /** The version that was refused because the case has changed; taking the case again mends it. */
    staleVersion: codeOf(decision.error) === 'stale' ? decision.variables?.of.version : undefined,
  }
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.reply?.code : undefined)
