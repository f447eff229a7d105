import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { ZoneNote } from '#web/ui/zone-note.tsx'
import { KeyFigures } from './key-figures.tsx'
import { LowerCardsFailure, LowerCardsPlaceholder, NeedsFailure } from './lower-slots.tsx'
import { NeedsPlaceholder } from './needs-placeholder.tsx'
import { MemberRegistrations } from './member-registrations.tsx'

const NeedsYou = lazy(() => import('./needs-you.tsx'))
const LowerCards = lazy(() => import('./lower-cards.tsx'))

/**
 * Product 5.1, Dashboard. Each card asks for its own data, and fails alone. A role sees the cards of what it may view.
 * The code of what stands lower comes after the rest, into places of its height.
 */
export default function DashboardPage() {
  NeedsYou.prefetch()
  LowerCards.prefetch()
  return (
    <div className="gutter grid w-full max-w-table grid-cols-1 gap-4 py-4 max-wide:has-[[data-needs=loading]]:[&>:not([data-needs])]:hidden md:grid-cols-12 md:gap-5 md:py-6 md:*:col-span-12">
      <ZoneNote />
      <LazyBoundary fallback={<NeedsPlaceholder />} failure={NeedsFailure}>
        <NeedsYou />
      </LazyBoundary>
      <KeyFigures />
      <MemberRegistrations className="wide:col-span-8" />
      <LazyBoundary fallback={<LowerCardsPlaceholder />} failure={LowerCardsFailure}>
        <LowerCards />
      </LazyBoundary>
    </div>
  )
}
