import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { kycReviewRoutes, leaseMinutes } from '#contract/kyc-reviews.ts'
import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { ApiError, call, isUnauthorized, serverMessage } from '#web/api.ts'
import { toast } from '#web/ui/toast.ts'

export interface Held {
  reviewed: ReviewCase
  waiting: number
  /** When the lease runs out unless it is prolonged, by this browser's clock. */
  lapsesAt: number
}

/** One case by its id, or the next; `keep`: the present one stays when there is no other. */
type Wanted = { id: string } | { after?: string; keep: boolean }

const release = (id: string) => void call(kycReviewRoutes.release, { params: { id } }).catch(() => {})
const claim = (id: string, isPassive = false) => call(kycReviewRoutes.claim, { params: { id }, isPassive })
const claimNext = (after?: string) =>
  call(kycReviewRoutes.claimNext, { ...(after !== undefined && { body: { after } }) })

/** Refused for good: decided, held by another operator, or unknown. Asking again would not help. */
export const isRefused = (error: unknown) => error instanceof ApiError && [400, 404, 409].includes(error.status)

/**
 * The case that the operator holds: taken as the address says, prolonged while they work, released when they leave. The
 * address follows the case, so that reload and a pasted link lead to it.
 */
export function useHeldCase(review: string) {
  const navigate = useNavigate()
  const [held, setHeld] = useState<Held | null>(null)
  const [lost, setLost] = useState<string | null>(null)
  // What answers are judged by when they come: the case held, the address it stands for, the latest call.
  const now = useRef({ id: '', address: '', turn: 0, isOpening: false, isGone: false })

  const hold = (reviewed: ReviewCase, waiting: number) => {
    now.current.id = reviewed.verification.id
    setHeld({ reviewed, waiting, lapsesAt: Date.now() + leaseMinutes * 60_000 })
    setLost(null)
  }
  const letGo = () => {
    now.current.id = ''
    setHeld(null)
    setLost(null)
  }
  const show = (address: string) => {
    now.current.address = address
    const search = (there: Record<string, unknown>) => ({ ...there, review: address })
    void navigate({ to: '.', search, replace: true })
  }

  const opening = useMutation({
    mutationFn: ({ wanted }: { wanted: Wanted; turn: number }) =>
      'id' in wanted ? claim(wanted.id) : claimNext(wanted.after),
    onSuccess: ({ case: found, waiting }, { wanted, turn }) => {
      if (now.current.isGone) {
        if (found) release(found.verification.id)
        return
      }
      if (turn !== now.current.turn) return
      if (found) {
        hold(found, waiting)
        show(found.verification.id)
      } else if ('keep' in wanted && wanted.keep) {
        toast({ title: 'No other case is free', description: 'This is the only one that nobody else has open.' })
        prolonging.mutate({ id: now.current.id, isPassive: false })
      } else {
        letGo()
        show('next')
      }
    },
    onError: (error, { wanted, turn }) => {
      if (turn !== now.current.turn || isUnauthorized(error)) return
      if (!('keep' in wanted && wanted.keep)) return letGo()
      const description = serverMessage(error, 'The next case could not be opened')
      toast({ tone: 'destructive', title: 'Error', description })
    },
    onSettled: (_reply, _error, { turn }) => {
      if (turn === now.current.turn) now.current.isOpening = false
    },
  })
  const prolonging = useMutation({
    mutationFn: ({ id, isPassive }: { id: string; isPassive: boolean }) => claim(id, isPassive),
    onSuccess: ({ case: reviewed, waiting }, { id }) => {
      if (id === now.current.id && !now.current.isGone) hold(reviewed, waiting)
    },
    onError: (error, { id }) => {
      if (id === now.current.id && isRefused(error)) setLost(serverMessage(error))
    },
  })
  const prolong = (isPassive: boolean) => {
    const { id, isOpening, isGone } = now.current
    // Prolonging takes the case again, so it must not overtake the one that is being opened.
    if (id && !isOpening && !isGone && !prolonging.isPending) prolonging.mutate({ id, isPassive })
  }
  const open = (wanted: Wanted) => {
    now.current.turn += 1
    now.current.isOpening = true
    opening.mutate({ wanted, turn: now.current.turn })
  }

  useEffect(() => {
    if (review === now.current.address) return
    now.current.address = review
    open(review === 'next' ? { keep: false } : { id: review })
    // What is opened follows the address alone.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [review])
  useEffect(() => {
    const state = now.current
    state.isGone = false
    return () => {
      state.isGone = true
      if (state.id) release(state.id)
    }
  }, [])

  return {
    held,
    /** Why the case is no longer the operator's, in the server's words. */
    lost,
    setLost,
    isOpening: opening.isPending || opening.isIdle,
    failure: held ? null : opening.error,
    isReloading: prolonging.isPending,
    prolong: () => prolong(false),
    /** Of a case that seems to be decided: the claim is refused in the server's words. The operator did nothing for it. */
    recheck: () => prolong(true),
    /** The oldest case that waits. */
    openNext: () => open({ keep: false }),
    /** The one after the case that was just decided: what was passed over does not come back at once. */
    openFurther: () => open({ after: now.current.id, keep: false }),
    /** The one after the case that is open. */
    passOver: () => open({ after: now.current.id, keep: lost === null }),
    retry: () => {
      if (opening.variables) open(opening.variables.wanted)
    },
  }
}
export type HeldCase = ReturnType<typeof useHeldCase>
