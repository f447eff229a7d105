import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { kycReviewRoutes, leaseMinutes } from '#contract/kyc-reviews.ts'
import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { ApiError, call, isUnauthorized, describeError } from '#web/api.ts'
import { toast } from '#web/ui/toast.ts'

export interface ClaimedCase {
  reviewed: ReviewCase
  waiting: number
  /** When the lease runs out unless it is prolonged, by this browser's clock. */
  lapsesAt: number
}

/** A case by its id, or the next one. `keep` keeps the present case when there is no other. */
type CaseRequest = { id: string } | { after?: string; keep: boolean }

const release = (id: string) => void call(kycReviewRoutes.release, { params: { id } }).catch(() => {})
const claim = (id: string, isPassive = false) => call(kycReviewRoutes.claim, { params: { id }, isPassive })
const claimNext = (after?: string) =>
  call(kycReviewRoutes.claimNext, { ...(after !== undefined && { body: { after } }) })

/** Whether a retry cannot help: the case is decided, claimed by another operator or unknown. */
export const isFinalRefusal = (error: unknown) => error instanceof ApiError && [400, 404, 409].includes(error.status)

/**
 * Claims the case that the address names, prolongs the claim while the operator works, and releases it when they leave.
 * The address follows the case, so that a reload and a pasted link open it.
 */
export function useCaseClaim(review: string) {
  const navigate = useNavigate()
  const [claimed, setClaimed] = useState<ClaimedCase | null>(null)
  const [lossReason, setLossReason] = useState<string | null>(null)
  // A late answer is compared with these: the claimed case, the address, the latest call.
  const latest = useRef({ id: '', address: '', turn: 0, isOpening: false, isUnmounted: false })

  const setClaimedCase = (reviewed: ReviewCase, waiting: number) => {
    latest.current.id = reviewed.verification.id
    setClaimed({ reviewed, waiting, lapsesAt: Date.now() + leaseMinutes * 60_000 })
    setLossReason(null)
  }
  const clearClaim = () => {
    latest.current.id = ''
    setClaimed(null)
    setLossReason(null)
  }
  const writeAddress = (address: string) => {
    latest.current.address = address
    const search = (there: Record<string, unknown>) => ({ ...there, review: address })
    void navigate({ to: '.', search, replace: true })
  }

  const opening = useMutation({
    mutationFn: ({ request }: { request: CaseRequest; turn: number }) =>
      'id' in request ? claim(request.id) : claimNext(request.after),
    onSuccess: ({ case: found, waiting }, { request, turn }) => {
      if (latest.current.isUnmounted) {
        if (found) release(found.verification.id)
        return
      }
      if (turn !== latest.current.turn) return
      if (found) {
        setClaimedCase(found, waiting)
        writeAddress(found.verification.id)
      } else if ('keep' in request && request.keep) {
        toast({ title: 'No other case is free', description: 'This is the only one that nobody else has open.' })
        prolonging.mutate({ id: latest.current.id, isPassive: false })
      } else {
        clearClaim()
        writeAddress('next')
      }
    },
    onError: (error, { request, turn }) => {
      if (turn !== latest.current.turn || isUnauthorized(error)) return
      if (!('keep' in request && request.keep)) return clearClaim()
      const description = describeError(error, 'The next case could not be opened')
      toast({ tone: 'destructive', title: 'Error', description })
    },
    onSettled: (_reply, _error, { turn }) => {
      if (turn === latest.current.turn) latest.current.isOpening = false
    },
  })
  const prolonging = useMutation({
    mutationFn: ({ id, isPassive }: { id: string; isPassive: boolean }) => claim(id, isPassive),
    onSuccess: ({ case: reviewed, waiting }, { id }) => {
      if (id === latest.current.id && !latest.current.isUnmounted) setClaimedCase(reviewed, waiting)
    },
    onError: (error, { id }) => {
      if (id === latest.current.id && isFinalRefusal(error)) setLossReason(describeError(error))
    },
  })
  const prolong = (isPassive: boolean) => {
    const { id, isOpening, isUnmounted } = latest.current
    // Prolonging claims the present case again, so it must not overtake the opening of another.
    if (id && !isOpening && !isUnmounted && !prolonging.isPending) prolonging.mutate({ id, isPassive })
  }
  const open = (request: CaseRequest) => {
    latest.current.turn += 1
    latest.current.isOpening = true
    opening.mutate({ request, turn: latest.current.turn })
  }

  useEffect(() => {
    if (review === latest.current.address) return
    latest.current.address = review
    open(review === 'next' ? { keep: false } : { id: review })
    // Only a change of the address opens a case.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [review])
  useEffect(() => {
    const state = latest.current
    state.isUnmounted = false
    return () => {
      state.isUnmounted = true
      if (state.id) release(state.id)
    }
  }, [])

  return {
    claimed,
    /** The server's reason why the case is no longer the operator's. */
    lossReason,
    setLossReason,
    isOpening: opening.isPending || opening.isIdle,
    failure: claimed ? null : opening.error,
    isReloading: prolonging.isPending,
    prolong: () => prolong(false),
    /**
     * Claims a case again that seems decided, to get the server's reason. It is passive, since the operator did
     * nothing.
     */
    recheck: () => prolong(true),
    /** Opens the oldest waiting case. */
    openNext: () => open({ keep: false }),
    /** Opens the case after the decided one, so that skipped cases do not return at once. */
    openAfterDecision: () => open({ after: latest.current.id, keep: false }),
    /** Opens the case after the present one. */
    skipCase: () => open({ after: latest.current.id, keep: lossReason === null }),
    retry: () => {
      if (opening.variables) open(opening.variables.request)
    },
  }
}
export type CaseClaim = ReturnType<typeof useCaseClaim>
