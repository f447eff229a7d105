import { X } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'
import { useFocusAfterRetry } from '#web/ui/error-state.tsx'
import { useSearchChange } from '#web/use-search-change.ts'

interface FilterChipProps {
  /** What it is about, where its label does not say: "Type". */
  name?: string | undefined
  /** The filter in words: "Expiring within 24 hours". */
  label: string
  /** The filter's parameters in the address bar. */
  parameter: string | readonly string[]
  tone?: 'warning'
}

/** A filter that the operator can remove. */
export function FilterChip({ name, label, parameter, tone }: FilterChipProps) {
  const changeSearch = useSearchChange()
  const place = useFocusAfterRetry()
  const words = [name, label].filter(Boolean).join(' ')
  const removed = Object.fromEntries(['page', ...[parameter].flat()].map((each) => [each, undefined]))
  return (
    <div ref={place} className="min-w-0">
      <button
        type="button"
        aria-label={`Remove filter: ${words}`}
        title={`Remove filter: ${words}`}
        onClick={() => changeSearch(removed)}
        className={cn(
          'inline-flex h-7 max-w-full items-center gap-1.5 rounded-full pr-2 pl-3 text-12 font-medium transition-colors max-md:h-10',
          tone === 'warning'
            ? 'bg-warning-soft text-warning-ink hover:brightness-95'
            : 'bg-accent-soft text-accent-ink hover:bg-selected',
        )}
      >
        {name && <span className="shrink-0 font-regular">{name} </span>}
        <span className="max-w-60 min-w-0 truncate">{label}</span>
        <X aria-hidden className="size-3.5 shrink-0" />
      </button>
    </div>
  )
}
