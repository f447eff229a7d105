/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select can neither be typed in nor hold links */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect, useId, useState, type RefObject } from 'react'
import { searchRoutes } from '#contract/search.ts'
import { queryOf, serverMessage } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { useCommandGroup, type Screens } from './commands.tsx'
import type { Group } from './entries.ts'
import { exactHit, hitGroups } from './hits.tsx'
import { useOptionKeys } from './option-keys.ts'
import { Option } from './option.tsx'

const pause = 150

/** What was typed, once typing pauses; an emptied box at once. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : paused
}

/** An answer belongs to its text, so that a late one never stands for a newer text; none is kept for the next search. */
function useFound(text: string) {
  const typed = usePaused(text)
  const query = useQuery({
    ...queryOf(searchRoutes.search, { query: { q: typed } }),
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  const isWaiting = text !== '' && (typed !== text || query.isFetching)
  return {
    groups: typed === '' || !query.data ? [] : hitGroups(query.data, text),
    exact: isWaiting || typed === '' || !query.data ? undefined : exactHit(query.data, text),
    isWaiting,
    error: typed !== '' && !isWaiting ? query.error : null,
    retry: () => void query.refetch(),
  }
}

interface SearchPopupProps {
  screens: Screens
  text: string
  /** What the popup stands in, and the box it belongs to. */
  box: RefObject<HTMLElement | null>
  active: string | undefined
  onActive: (id: string | undefined) => void
  onDone: (isGone: boolean) => void
}

/** What is found, grouped, above the screens and actions that fit: the listbox of the header's combobox. */
export default function SearchPopup({ screens, text, box, active, onActive, onDone }: SearchPopupProps) {
  const typed = text.trim()
  const { groups, exact, isWaiting, error, retry } = useFound(typed)
  const commands = useCommandGroup(typed, screens)
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0)
  const only = count === 0 && !isWaiting && !error ? commands.entries[0] : undefined
  /** What Enter opens while nothing is chosen: what was typed whole, or the screen or action that alone fits. */
  const meant = typed === '' ? undefined : (exact ?? (only?.key.startsWith('command') ? only.key : undefined))
  useOptionKeys(box, active ?? (meant && `search-${meant}`), active, onActive)

  const again: Group = {
    label: 'Search failed',
    entries: [{ key: 'again', icon: <RefreshCw aria-hidden />, title: 'Try again', run: retry }],
  }
  return (
    <div className="absolute top-full right-0 z-30 mt-1.5 flex max-h-[min(40rem,100dvh-4.5rem)] w-120 animate-fade flex-col rounded-l bg-raised text-ink shadow-dialog max-roomy:inset-x-0 max-roomy:mt-0 max-roomy:w-auto max-roomy:rounded-t-none">
      <div className="min-h-0 overflow-y-auto p-1.5">
        <output
          className={cn('block px-2 py-1.5 text-13 text-quiet', (typed === '' || (count > 0 && !error)) && 'sr-only')}
        >
          {statusOf({ typed, isWaiting, error, count })}
        </output>
        <div id="search-results" role="listbox" aria-label="Search results" aria-busy={isWaiting}>
          {error && <OptionGroup {...{ group: again, active }} onDone={retry} />}
          {!error &&
            groups.map((group) => (
              <OptionGroup key={group.label} {...{ group, active, onDone }} isDimmed={isWaiting} />
            ))}
          {commands.entries.length > 0 && <OptionGroup {...{ group: commands, active, onDone }} />}
        </div>
      </div>
      <p aria-hidden className="flex items-center gap-1.5 border-t px-3 py-2 text-12 text-quiet max-roomy:hidden">
        <kbd>↑</kbd>
        <kbd>↓</kbd> choose
        {(active ?? typed) && (
          <>
            <kbd className="ml-2">↵</kbd> {(active ?? meant) ? 'open' : 'search the list'}
          </>
        )}
        <kbd className="ml-2">esc</kbd> close
      </p>
    </div>
  )
}

interface Status {
  typed: string
  isWaiting: boolean
  error: Error | null
  count: number
}

function statusOf({ typed, isWaiting, error, count }: Status): string {
  if (typed === '') return ''
  if (error) return `The search failed: ${serverMessage(error)}`
  if (count > 0) return `${count} found`
  if (isWaiting) return 'Searching...'
  const isShort = /^0x[0-9a-f]{0,5}$/i.test(typed)
  return `Nothing found for “${typed}”${isShort ? ': a hash or address needs 6 digits or more' : ''}`
}

interface OptionGroupProps {
  group: Group
  active: string | undefined
  isDimmed?: boolean
  onDone: (isGone: boolean) => void
}

function OptionGroup({ group: { label, entries }, active, isDimmed = false, onDone }: OptionGroupProps) {
  const heading = useId()
  return (
    <div role="group" aria-labelledby={heading} className={cn(isDimmed && 'opacity-60 transition-opacity delay-150')}>
      <div id={heading} role="presentation" className="px-2 pt-2 pb-1 text-12 text-quiet">
        {label}
      </div>
      {entries.map((entry) => {
        const id = `search-${entry.key}`
        return <Option key={entry.key} {...{ entry, id, onDone }} isActive={id === active} />
      })}
    </div>
  )
}
