import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { allocationRoutes } from '#contract/bank-allocations.ts'
import { ApiError, call, describeError } from '#web/api.ts'
import { useActivityHeartbeat, usePageReturn } from '#web/ui/use-activity-heartbeat.ts'
import { lineQuery } from '#web/features/bank/desk/queries.ts'

/** A line is claimed once it is looked at, not while the operator passes it. */
const claimAfterMs = 300

let lastCall: Promise<unknown> = Promise.resolve()

/** Sends claims and releases one after the other, so that a release never overtakes its claim. */
function sendInOrder<T>(send: () => Promise<T>): Promise<T> {
  const sent = lastCall.then(send, send)
  lastCall = sent.catch(() => {})
  return sent
}

/** The claim of the next line releases this one. Only where none follows it is released by a call. */
const releaseAfterMs = 1000
let releaseTimer: ReturnType<typeof setTimeout> | undefined

/** The line that the operator has, as far as this page knows. */
let claimedId: string | undefined

/** Releases the line of a page that is closed or loaded again, which would otherwise keep others from it for minutes. */
function releaseNow() {
  clearTimeout(releaseTimer)
  if (claimedId === undefined) return
  const id = claimedId
  claimedId = undefined
  void call(allocationRoutes.release, { params: { id }, keepalive: true, isPassive: true }).catch(() => {})
}

const claim = (id: string) => {
  clearTimeout(releaseTimer)
  claimedId = id
  // A listener that is there is not added twice.
  window.addEventListener('pagehide', releaseNow)
  return sendInOrder(() => call(allocationRoutes.claim, { params: { id } }))
}
function releaseSoon(id: string) {
  clearTimeout(releaseTimer)
  releaseTimer = setTimeout(() => {
    claimedId = undefined
    void sendInOrder(() => call(allocationRoutes.release, { params: { id } })).catch(() => {})
  }, releaseAfterMs)
}

/**
 * Claims a line while it is open, prolongs the claim while the operator works, and releases it when they leave. `isWanted` is
 * false for a line that is not work, and for an operator who may not apply it.
 */
export function useLineClaim(id: string, isWanted: boolean) {
  const client = useQueryClient()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => claim(id),
    // The line says who has it.
    onError: () => void client.invalidateQueries({ queryKey: lineQuery(id).queryKey }),
  })
  useEffect(() => {
    if (!isWanted) return
    let isClaimed = false
    const timer = setTimeout(() => {
      isClaimed = true
      mutate()
    }, claimAfterMs)
    return () => {
      clearTimeout(timer)
      if (isClaimed) releaseSoon(id)
    }
  }, [id, isWanted, mutate])
  usePageReturn(() => isWanted && mutate())
  const refusal = error instanceof ApiError && error.status === 409 ? describeError(error) : null
  useActivityHeartbeat(() => {
    if (isWanted && !isPending && refusal === null) mutate()
  })
  return {
    /** Until when it is the operator's. */
    until: error ? undefined : data?.claimedUntil,
    /** Why it is not. */
    refusal,
    isPending,
    retry: () => mutate(),
  }
}
export type LineClaim = ReturnType<typeof useLineClaim>
