import { useSearch } from '@tanstack/react-router'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { readPeek } from './peek-target.ts'

const PeekPanel = lazy(() => import('./peek-panel.tsx'))

/** The place of Peek in the shell. Its code is fetched when it is first shown. */
export function PeekSlot() {
  const { peek }: { peek?: unknown } = useSearch({ strict: false })
  const target = readPeek(peek)
  return (
    <LazyBoundary fallback={<div data-peek className="peek-panel max-md:hidden" />}>
      {target && <PeekPanel target={target} />}
    </LazyBoundary>
  )
}

export const prefetchPeekPanel = PeekPanel.prefetch
