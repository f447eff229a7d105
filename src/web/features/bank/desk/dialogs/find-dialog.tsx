/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select can't be searched on the server */
import { keepPreviousData } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { allocationRoutes } from '#contract/bank-allocations.ts'
import { buildQuery, describeError } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { isComposingKey } from '#web/lib/keys.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

/** Earlier payments that a line may pay back, or transfers that it may return; those that are due where nothing is typed. */
export const earlierQuery = (id: string, search: string) => ({
  ...buildQuery(allocationRoutes.credits, { params: { id }, query: search === '' ? {} : { search } }),
  placeholderData: keepPreviousData,
})

/** What is typed, and what is searched of it by now. */
export function useSearchText() {
  const [typed, setTyped] = useState('')
  const asked = useDeferredValue(typed.trim())
  return { typed: typed.trim(), asked, value: typed, setTyped }
}

interface FindDialogProps<Found> {
  title: string
  words: {
    /** "Search orders" */
    field: string
    placeholder: string
    /** What is found: "Orders" */
    list: string
    /** Of an error: "The orders" */
    what: string
    /** "No order matches" */
    noMatch: string
    /** Where nothing is typed: what is listed, and that there is none. */
    untyped: string
    none: string
  }
  text: ReturnType<typeof useSearchText>
  found: readonly Found[]
  /** What was found may be that of another text. */
  isFetching: boolean
  query: { error: unknown; isPending: boolean; isPlaceholderData: boolean }
  /** No more are found. */
  most?: number
  choose: (chosen: Found) => void
  nameOption: (found: Found) => string
  /** What was chosen is being sent. */
  isLocked?: boolean
  error?: unknown
  onClose: () => void
  children: (found: Found) => ReactNode
}

/** Searches on the server as is typed, and takes one of what is found, by keys while the focus stays in the field. */
export function FindDialog<Found>(props: FindDialogProps<Found>) {
  const { title, words, text, found, isFetching, query, choose, nameOption, isLocked = false, error } = props
  const id = useId()
  // Enter waits for what was typed before it.
  const isWaiting = isFetching || text.asked !== text.typed
  const { at, restart, onKeyDown } = useChoiceByKeys({ found, isWaiting, choose })
  return (
    <Dialog title={title} onClose={props.onClose} locked={isLocked} className="max-w-150!">
      <div className="shrink-0 px-5 pt-3">
        <Input
          role="combobox"
          aria-label={words.field}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          placeholder={words.placeholder}
          value={text.value}
          maxLength={200}
          onChange={({ target }) => {
            text.setTyped(target.value)
            restart()
          }}
          onKeyDown={onKeyDown}
        />
        <FieldError>{error ? describeError(error) : null}</FieldError>
        <output className="mt-2 block text-12 text-quiet">{describeState(props)}</output>
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={words.list}
        className={cn('min-h-24 overflow-y-auto px-3 pt-1 pb-3', query.isPlaceholderData && 'opacity-60')}
      >
        {found.map((each, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the keys are the input's, which keeps the focus
          <div
            key={nameOption(each)}
            id={`${id}-${index}`}
            ref={showWhenActive(index === at)}
            role="option"
            aria-selected={index === at}
            onClick={() => choose(each)}
            className={cn(
              'flex cursor-pointer flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-m px-2 py-2 text-13',
              index === at ? 'bg-accent-soft' : 'hover:bg-hover',
            )}
          >
            {props.children(each)}
          </div>
        ))}
      </div>
    </Dialog>
  )
}

const showWhenActive = (isActive: boolean) => (option: HTMLElement | null) => {
  if (isActive) option?.scrollIntoView({ block: 'nearest' })
}

function describeState<Found>({
  words,
  text: { typed },
  found,
  query,
  most = Infinity,
}: FindDialogProps<Found>): string {
  if (query.error) return `${words.what} could not be loaded: ${describeError(query.error)}`
  if (query.isPending) return 'Searching...'
  if (found.length === 0) return typed ? `${words.noMatch} “${typed}”.` : words.none
  if (!typed) return words.untyped
  return found.length >= most ? `The first ${found.length}` : `${found.length} found`
}

interface ChoiceByKeys<Found> {
  found: readonly Found[]
  /** What was found is not yet that of what is typed: Enter waits for it. */
  isWaiting: boolean
  choose: (chosen: Found) => void
}

/** Chooses among what a search finds, by arrow keys and Enter while the focus stays in its field. */
function useChoiceByKeys<Found>({ found, isWaiting, choose }: ChoiceByKeys<Found>) {
  const [active, setActive] = useState(0)
  const at = Math.min(active, found.length - 1)
  const entered = useRef(false)
  const chooseFirst = useEffectEvent(() => {
    if (entered.current && found[0]) choose(found[0])
    entered.current = false
  })
  useEffect(() => {
    if (!isWaiting) chooseFirst()
  }, [isWaiting])
  const restart = () => {
    setActive(0)
    entered.current = false
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposingKey(event.nativeEvent)) return
    const step = ({ ArrowDown: 1, ArrowUp: -1 } as Record<string, number>)[event.key]
    const chosen = found[at]
    if (step !== undefined && found.length > 0) setActive((at + step + found.length) % found.length)
    else if (event.key !== 'Enter') return
    else if (isWaiting) entered.current = true
    else if (chosen) choose(chosen)
    event.preventDefault()
  }
  return { at, restart, onKeyDown }
}
