import { X } from 'lucide-react'
import { useFocusAfterRetry } from '#web/ui/error-state.tsx'
import { useSearchChange } from '#web/use-search-change.ts'

interface FilterChipProps {
  /** The filter in words: "Expiring within 24 hours". */
  label: string
  /** The filter's parameter in the address bar. */
  parameter: string
}

/** A filter that came with a link and has no control of its own. The operator can remove it. */
export function FilterChip({ label, parameter }: FilterChipProps) {
  const changeSearch = useSearchChange()
  const place = useFocusAfterRetry()
  return (
    <div ref={place} className="min-w-0">
      <button
        type="button"
        aria-label={`Remove filter: ${label}`}
        title="Remove filter"
        onClick={() => changeSearch({ [parameter]: undefined, page: undefined })}
        className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-full bg-accent-soft pr-2 pl-3 text-12 font-medium text-accent-ink transition-colors hover:bg-selected max-md:h-10"
      >
        <span className="max-w-60 min-w-0 truncate">{label}</span>
        <X aria-hidden className="size-3.5 shrink-0" />
      </button>
    </div>
  )
}
