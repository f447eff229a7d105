/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select can neither be typed in nor hold links */
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { cloneElement, type MouseEvent, type RefObject, useId, useLayoutEffect, useState } from 'react'
import { describeError } from '#web/api.ts'
import { sessionQuery } from '#web/app/session.ts'
import { cn } from '#web/lib/cn.ts'
import { type ScreenList, useChangeGroup, useCommandGroup, useListGroup, useWaitingGroup } from './commands.tsx'
import type { Entry, Group } from './entries.ts'
import { buildHitGroups, buildRecentGroup, findExactHit } from './hits.tsx'
import { useOptionKeys } from './option-keys.ts'
import { type SearchResults, useRecentItems, useSearchResults } from './use-search-results.ts'

interface SearchPopupProps {
  screens: ScreenList
  text: string
  /** The element that contains the popup and the search box. */
  box: RefObject<HTMLElement | null>
  /** Reports the option that Enter opens. */
  onActive: (id: string | undefined) => void
  onDone: (isGone: boolean) => void
}

const optionId = (key: string) => `search-${key}`

/** Screens and actions come first where the typed text begins one's name, or begins no result. */
function useResultGroups(typed: string, { reply, error }: SearchResults, screens: ScreenList) {
  const { data: admin } = useQuery(sessionQuery)
  const recent = useRecentItems(admin?.id ?? '', typed === '')
  const commands = useCommandGroup(typed, screens)
  const changes = useChangeGroup(typed)
  const waiting = useWaitingGroup()
  const lists = useListGroup(typed)
  if (typed === '')
    return {
      before: [changes],
      hits: recent.reply ? [buildRecentGroup(recent.items, recent.reply)] : [],
      after: [waiting, commands],
    }
  const hits = reply && !error ? buildHitGroups(reply, typed) : []
  const exact = reply && !error ? findExactHit(reply, typed) : undefined
  const isWeak = reply !== undefined && hits.every(({ entries }) => entries.every((entry) => entry.isWeak))
  const isFirst = !exact && (commands.isMeant || isWeak)
  return {
    before: isFirst ? [changes, commands] : [],
    hits,
    after: [...(isFirst ? [] : [changes, commands]), lists],
    exact,
  }
}

/** The listbox of the header's search: results and actions in groups. The first option is active. */
export default function SearchPopup({ screens, text, box, onActive, onDone }: SearchPopupProps) {
  const typed = text.trim()
  const results = useSearchResults(typed)
  const { isWaiting, error, retry } = results
  const { before, hits, after, exact } = useResultGroups(typed, results, screens)
  const failed: Group[] = error
    ? [
        {
          label: 'Search failed',
          entries: [{ key: 'again', icon: <RefreshCw aria-hidden />, title: 'Try Again', run: retry }],
        },
      ]
    : []
  const groups = [...failed, ...before, ...hits, ...after].filter(({ entries }) => entries.length > 0)
  const count = typed === '' ? 0 : hits.reduce((sum, { entries }) => sum + entries.length, 0)

  const [chosen, setChosen] = useState<{ text: string; id: string }>()
  const first = typed === '' ? undefined : (exact ?? groups[0]?.entries[0]?.key)
  // A newer answer may lack the chosen option.
  const isThere = groups.some(({ entries }) => entries.some(({ key }) => optionId(key) === chosen?.id))
  const chosenId = isThere && chosen?.text === text ? chosen.id : undefined
  const active = chosenId ?? (first && optionId(first))
  useOptionKeys(box, active, chosenId !== undefined, {
    isWaiting: isWaiting && chosenId === undefined,
    onChoose: (id) => setChosen({ text, id }),
  })
  // With the options themselves, so that the box never names one that is gone.
  useLayoutEffect(() => {
    onActive(active)
    return () => onActive(undefined)
  }, [active, onActive])

  return (
    <div className="absolute top-full right-0 z-30 mt-1.5 flex max-h-[min(40rem,100dvh-4.5rem)] w-140 animate-fade flex-col rounded-l bg-raised text-ink shadow-dialog max-roomy:inset-x-0 max-roomy:mt-0 max-roomy:w-auto max-roomy:rounded-t-none">
      <div className="min-h-0 overflow-y-auto p-1.5">
        <output
          className={cn('block px-2 py-1.5 text-13 text-quiet', (typed === '' || (count > 0 && !error)) && 'sr-only')}
        >
          {describeStatus({ typed, isWaiting, error, count })}
        </output>
        <div id="search-results" role="listbox" aria-label="Search results" aria-busy={isWaiting}>
          {groups.map((group) => (
            <OptionGroup
              key={group.label}
              {...{ group, active }}
              isDimmed={isWaiting && hits.includes(group)}
              onDone={failed.includes(group) ? retry : onDone}
            />
          ))}
        </div>
      </div>
      <KeyLegend canOpen={active !== undefined} />
    </div>
  )
}

interface SearchStatus {
  typed: string
  isWaiting: boolean
  error: Error | null
  count: number
}

function describeStatus({ typed, isWaiting, error, count }: SearchStatus): string {
  if (typed === '') return ''
  if (error) return `The search failed: ${describeError(error)}`
  if (count > 0) return `${count} found`
  if (isWaiting) return 'Searching...'
  const isShort = /^0x[0-9a-f]{0,5}$/i.test(typed)
  return `Nothing found for “${typed}”${isShort ? ': a hash or address needs 6 digits or more' : ''}`
}

function KeyLegend({ canOpen }: { canOpen: boolean }) {
  return (
    <p aria-hidden className="flex items-center gap-1.5 border-t px-3 py-2 text-12 text-quiet max-roomy:hidden">
      <kbd>↑</kbd>
      <kbd>↓</kbd> choose
      {canOpen && (
        <>
          <kbd className="ml-2">↵</kbd> open
        </>
      )}
      <kbd className="ml-2">Esc</kbd> close
    </p>
  )
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
        const id = optionId(entry.key)
        return <Option key={entry.key} {...{ entry, id, onDone }} isActive={id === active} />
      })}
    </div>
  )
}

interface OptionProps {
  entry: Entry
  id: string
  isActive: boolean
  /** `isGone` says whether it led to another page. */
  onDone: (isGone: boolean) => void
}

/** Keeps the focus in the search box. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

/** An option is a real link where it leads somewhere: it can be opened in a new tab. */
function Option({ entry: { icon, title, caption, aside, link, run }, id, isActive, onDone }: OptionProps) {
  const children = (
    <>
      <span className="grid w-7 shrink-0 place-items-center text-quiet [&>svg]:size-4">{icon}</span>
      <span className="min-w-0 flex-1 leading-4.5">
        <span className="block truncate text-13 font-medium">{title}</span>
        {caption && <span className="block truncate text-12 text-quiet">{caption}</span>}
      </span>
      {aside && (
        <span className="flex shrink-0 items-center gap-x-2 gap-y-0.5 text-13 tabular-nums max-md:flex-col max-md:items-end">
          {aside}
        </span>
      )}
    </>
  )
  const props = {
    id,
    role: 'option',
    'aria-selected': isActive,
    tabIndex: -1,
    onMouseDown: keepFocus,
    className: cn(
      'flex min-h-9 w-full items-center gap-2.5 rounded-m px-2 py-1 text-left max-md:min-h-11',
      isActive ? 'bg-accent-soft' : 'hover:bg-hover',
    ),
    children,
  }
  if (link) {
    const onClick = (event: MouseEvent) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onDone(true)
    }
    return cloneElement(link, { ...props, onClick })
  }
  const act = () => {
    onDone(false)
    run?.()
  }
  return <button type="button" {...props} onClick={act} />
}
