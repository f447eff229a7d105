import { Select } from '#web/ui/select.tsx'
import type { ListSort } from './use-sort.ts'

/** The orders of a list as one choice. */
export const SortSelect = ({ sort, className }: { sort: ListSort; className?: string }) => (
  <Select
    aria-label="Sort"
    options={Object.entries(sort.sorts).map(([value, { label }]) => ({ value, label }))}
    value={sort.current}
    onChange={({ target }) => sort.set(target.value)}
    className={className}
  />
)
