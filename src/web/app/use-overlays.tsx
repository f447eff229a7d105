import type { ReactNode } from 'react'
import { useStore } from '#web/lib/store.ts'
import { discardQuestion } from '#web/lib/unsaved.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { sessionWarning, signInNeeded } from './session.ts'

export const Overlays = lazy(() => import('./overlays.tsx'))

/** The dialogs that can come up over any screen. */
export function useOverlays(): ReactNode {
  const isAsking = useStore(discardQuestion) !== null
  const isEnding = useStore(sessionWarning) !== null
  const isOver = useStore(signInNeeded) !== null
  return (
    <LazyBoundary fallback={null} onFailure={() => discardQuestion.get()?.(false)}>
      {(isAsking || isEnding || isOver) && <Overlays />}
    </LazyBoundary>
  )
}
