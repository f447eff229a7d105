import type { ReactNode } from 'react'
import { useStore } from '#web/lib/store.ts'
import { discardQuestion } from '#web/lib/unsaved.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { sessionWarning, signInNeeded, stepUpQuestion } from './session.ts'

export const Overlays = lazy(() => import('./overlays.tsx'))

/** The code of the dialogs could not be fetched: what waits for an answer goes on without it. */
function giveUp(): void {
  discardQuestion.get()?.(false)
  stepUpQuestion.get()?.answer(false)
}

/** The dialogs that can come up over any screen. */
export function useOverlays(): ReactNode {
  const isAsking = useStore(discardQuestion) !== null
  const isEnding = useStore(sessionWarning) !== null
  const isOver = useStore(signInNeeded) !== null
  const isConfirming = useStore(stepUpQuestion) !== null
  return (
    <LazyBoundary fallback={null} onFailure={giveUp}>
      {(isAsking || isEnding || isOver || isConfirming) && <Overlays />}
    </LazyBoundary>
  )
}
