import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { kycReviewRoutes, leaseMinutes } from '#contract/kyc-reviews.ts'
import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { ApiError, call, isUnauthorized, describeError } from '#web/api.ts'
import { toast } from '#web/ui/toast.ts'
import { usePageReturn } from '#web/ui/use-activity-heartbeat.ts'
import { useSearchChange } from '#web/use-search-change.ts'

export interface ClaimedCase {
  reviewed: ReviewCase
  waiting: number
  /** The place of the case among all that wait, from 1. */
  position: number | null
  /** When the lease runs out unless it is prolonged, by this browser's clock. */
  lapsesAt: number
}

/** A case by its id, or the next one. `keep` keeps the present case when there is no other. */
type CaseRequest = { id: string } | { after?: string; before?: string; keep: boolean }

/** Releases the case, also from a page that is closed or loaded again. */
const release = (id: string) =>
  void call(kycReviewRoutes.release, { params: { id }, keepalive: true, isPassive: true }).catch(() => {})
const claim = (id: string, isPassive = false) => call(kycReviewRoutes.claim, { params: { id }, isPassive })
const claimNext = ({ after, before }: { after?: string; before?: string }) =>
  call(kycReviewRoutes.claimNext, {
    body: { ...(after !== undefined && { after }), ...(before !== undefined && { before }) },
  })

/** Claims a case, or reads it with the reason where another operator has it. */
async function openCase(id: string) {
  try {
    return { ...(await claim(id)), lossReason: null }
  } catch (error) {
    if (!(error instanceof ApiError && error.reply?.code === 'case_claimed')) throw error
    return { ...(await call(kycReviewRoutes.detail, { params: { id } })), lossReason: describeError(error) }
  }
}

/** Whether a retry cannot help: the case is decided or unknown. */
export const isFinalRefusal = (error: unknown) => error instanceof ApiError && [400, 404, 409].includes(error.status)

type OpenedQueue = Pick<ClaimedCase, 'waiting' | 'position'> & { lossReason?: string | null }

/** The claimed case. It is released when the operator leaves, also by a closed page. */
function useClaimedCase() {
  const [claimed, setClaimed] = useState<ClaimedCase | null>(null)
  const [lossReason, setLossReason] = useState<string | null>(null)
  // A late answer is compared with these.
  const latest = useRef({ id: '', isUnmounted: false })
  useEffect(() => {
    const state = latest.current
    const leave = () => state.id && release(state.id)
    state.isUnmounted = false
    window.addEventListener('pagehide', leave)
    return () => {
      state.isUnmounted = true
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  return {
    claimed,
    lossReason,
    setLossReason,
    latest,
    setClaimedCase: (reviewed: ReviewCase, { waiting, position, lossReason: reason = null }: OpenedQueue) => {
      latest.current.id = reviewed.verification.id
      setClaimed({ reviewed, waiting, position, lapsesAt: Date.now() + leaseMinutes * 60_000 })
      setLossReason(reason)
    },
    clearClaim: () => {
      latest.current.id = ''
      setClaimed(null)
      setLossReason(null)
    },
  }
}
type ClaimState = ReturnType<typeof useClaimedCase>

/** Claims the present case again, which prolongs the claim and reloads the case. */
function useProlonging({ latest, setClaimedCase, setLossReason }: ClaimState) {
  return useMutation({
    mutationFn: ({ id, isPassive }: { id: string; isPassive: boolean }) => claim(id, isPassive),
    onSuccess: ({ case: reviewed, ...queue }, { id }) => {
      if (id === latest.current.id && !latest.current.isUnmounted) setClaimedCase(reviewed, queue)
    },
    onError: (error, { id }) => {
      if (id === latest.current.id && isFinalRefusal(error)) setLossReason(describeError(error))
    },
  })
}

interface OpeningHandlers {
  /** Writes the opened case's id, or `next`, into the address. */
  writeAddress: (address: string) => void
  /** Called when the present case is the only free one. */
  onKept: () => void
}

/** Opens a case. Only the answer to the latest call counts. */
function useOpening({ latest, setClaimedCase, clearClaim }: ClaimState, { writeAddress, onKept }: OpeningHandlers) {
  const lastCall = useRef({ turn: 0, isRunning: false })
  // Set with the case: the mutation counts as pending for a moment longer, in which the buttons would do nothing.
  const [doneTurn, setDoneTurn] = useState(0)
  const { mutate, ...opening } = useMutation({
    mutationFn: ({ request }: { request: CaseRequest; turn: number }) =>
      'id' in request ? openCase(request.id) : claimNext(request),
    onSuccess: ({ case: found, ...queue }, { request, turn }) => {
      if (latest.current.isUnmounted) {
        if (found) release(found.verification.id)
        return
      }
      if (turn !== lastCall.current.turn) return
      setDoneTurn(turn)
      if (found) {
        setClaimedCase(found, queue)
        writeAddress(found.verification.id)
      } else if ('keep' in request && request.keep) {
        toast(
          request.before === undefined
            ? { title: 'No other case is free', description: 'This is the only one that nobody else has open.' }
            : { title: 'This is the first case', description: 'No case before it is free.' },
        )
        onKept()
      } else {
        clearClaim()
        writeAddress('next')
      }
    },
    onError: (error, { request, turn }) => {
      if (turn !== lastCall.current.turn || isUnauthorized(error)) return
      if (!('keep' in request && request.keep)) return clearClaim()
      const description = describeError(error, 'The next case could not be opened')
      toast({ tone: 'destructive', title: 'Error', description })
    },
    onSettled: (_reply, _error, { turn }) => {
      if (turn === lastCall.current.turn) lastCall.current.isRunning = false
    },
  })
  return {
    ...opening,
    isOpening: opening.isIdle || (opening.isPending && opening.variables.turn !== doneTurn),
    open: (request: CaseRequest) => {
      lastCall.current.turn += 1
      lastCall.current.isRunning = true
      mutate({ request, turn: lastCall.current.turn })
    },
    /** Whether a call is under way now. `isPending` changes with the next render. */
    isRunning: () => lastCall.current.isRunning,
  }
}

/**
 * Claims the case that the address names, prolongs the claim while the operator works, and releases it when they leave.
 * The address follows the case, so that a reload and a pasted link open it.
 */
export function useCaseClaim(review: string) {
  const changeSearch = useSearchChange()
  const state = useClaimedCase()
  const { claimed, lossReason, setLossReason, latest } = state
  const prolonging = useProlonging(state)
  const address = useRef('')
  const opening = useOpening(state, {
    writeAddress: (opened) => {
      address.current = opened
      changeSearch({ review: opened }, { replace: true })
    },
    onKept: () => prolonging.mutate({ id: latest.current.id, isPassive: false }),
  })
  const { open } = opening
  useEffect(() => {
    if (review === address.current) return
    address.current = review
    open(review === 'next' ? { keep: false } : { id: review })
    // Only a change of the address opens a case.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [review])

  const prolong = (isPassive: boolean) => {
    const { id, isUnmounted } = latest.current
    // Prolonging claims the present case again, so it must not overtake the opening of another.
    if (id && !opening.isRunning() && !isUnmounted && !prolonging.isPending) prolonging.mutate({ id, isPassive })
  }
  usePageReturn(() => prolong(true))
  return {
    claimed,
    /** The server's reason why the case is no longer the operator's. */
    lossReason,
    setLossReason,
    isOpening: opening.isOpening,
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
    /** Opens the nearest free case before the present one. */
    openPrevious: () => open({ before: latest.current.id, keep: lossReason === null }),
    /** Opens this case. */
    openCase: (id: string) => open({ id }),
    retry: () => {
      if (opening.variables) open(opening.variables.request)
    },
  }
}
export type CaseClaim = ReturnType<typeof useCaseClaim>
