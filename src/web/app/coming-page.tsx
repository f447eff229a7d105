import { EmptyState } from '#web/ui/empty-state.tsx'

/** A section that a later part builds. */
export function ComingPage() {
  return (
    <div className="gutter py-6">
      <EmptyState title="This section is not built yet." />
    </div>
  )
}
