import { Button } from '#web/ui/button.tsx'
import { useFocusAfterRetry } from '#web/ui/error-state.tsx'
import type { ListState } from './list-state.ts'

interface NoHitsProps {
  /** What a row is, in one word: "member". */
  entity: string
  empty: string
  state: ListState
}

/** Says that nothing matches, and links back to the whole list. */
export function NoHits({ entity, empty, state }: NoHitsProps) {
  const { search, isFiltered } = state
  const place = useFocusAfterRetry()
  return (
    <div ref={place} className="py-6">
      <p>{empty}</p>
      <p className="mt-1 font-medium wrap-anywhere text-ink">
        {search ? (
          <>
            No {entity} matches &quot;<bdi>{search}</bdi>&quot;{isFiltered && ' with these filters'}
          </>
        ) : (
          `No ${entity} matches these filters`
        )}
      </p>
      <p className="mt-3 flex flex-wrap justify-center gap-2 text-ink">
        {search && <Button onClick={() => state.setSearch('')}>Clear search</Button>}
        {isFiltered && <Button onClick={state.clearFilters}>Clear filters</Button>}
      </p>
    </div>
  )
}
