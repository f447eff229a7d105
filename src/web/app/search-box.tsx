import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent as ReactKeyboardEvent } from 'react'
import { parseWholeKey } from '#contract/whole-key.ts'
import { flushSync } from 'react-dom'
import { cn } from '#web/lib/cn.ts'
import { paths } from '#web/paths.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { prefetch, lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { PrintTime } from './print-time.tsx'
import type { ScreenList } from './search/commands.tsx'
import type { SearchRequests } from './search-keys.ts'
import { parseRecentItem, storeRecent } from './search/recent.ts'
import { sessionQuery } from './session.ts'

const loadPopup = () => import('./search/search-popup.tsx')
const SearchPopup = lazy(loadPopup)

interface SearchBoxProps extends SearchRequests {
  screens: ScreenList
}

/** Remembers the members and orders that are opened, for the search to offer again. */
function useStoreRecent() {
  const { data: admin } = useQuery(sessionQuery)
  const { pathname } = useLocation()
  useEffect(() => {
    const item = parseRecentItem(pathname)
    if (admin && item) storeRecent(admin.id, item)
  }, [admin, pathname])
}

/**
 * Global search, and the way to every screen and action. Its popup is loaded at the first use. Below 900 px it opens
 * over the header. Enter opens the first option, or before there is one the fitting list.
 */
export default function SearchBox({ screens, openCount, takeBuffered }: SearchBoxProps) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  /** The text without an unfinished composition. */
  const [composed, setComposed] = useState('')
  const isComposing = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState<string>()
  const box = useRef<HTMLElement>(null)
  const opener = useRef<Element>(null)
  const input = () => box.current?.querySelector('input')

  useStoreRecent()

  function focusInput() {
    if (document.activeElement !== input()) opener.current = document.activeElement
    input()?.select()
  }
  const onRequest = useEffectEvent(() => {
    focusInput()
    const buffered = takeBuffered()
    if (!buffered?.text) return
    // Runs before the next key, which is appended.
    queueMicrotask(() => {
      flushSync(() => type(buffered.text))
      if (buffered.isEntered) input()?.form?.requestSubmit()
    })
  })
  const [handledCount, setAnswered] = useState(0)
  if (openCount !== handledCount) {
    setAnswered(openCount)
    setOpen(true)
  }
  useEffect(() => {
    if (openCount > 0) onRequest()
  }, [openCount])

  function open() {
    setOpen(true)
    requestAnimationFrame(focusInput)
  }
  function type(typed: string) {
    setText(typed)
    if (!isComposing.current) setComposed(typed)
    setOpen(true)
  }
  /** Moves the focus back to where it was, or to the new page. */
  function close(isGone: boolean) {
    type('')
    setOpen(false)
    const next = isGone ? document.querySelector('main') : opener.current
    opener.current = null
    if (next instanceof HTMLElement && next !== document.body) next.focus({ preventScroll: true })
    else input()?.blur()
  }
  function onKeyDown({ key, nativeEvent }: ReactKeyboardEvent<HTMLInputElement>) {
    if (key === 'Escape' && !nativeEvent.isComposing) close(false)
    if (key === 'ArrowDown' || key === 'ArrowUp') setOpen(true)
  }
  return (
    <>
      {/* Rendered here, in code that is loaded after the first paint. */}
      <PrintTime />
      <search
        ref={box}
        className={cn(
          'ml-auto w-80 min-w-50 shrink-[999] max-roomy:absolute max-roomy:inset-x-0 max-roomy:top-0 max-roomy:z-10 max-roomy:ml-0 max-roomy:h-full max-roomy:w-auto max-roomy:items-center max-roomy:bg-surface max-roomy:gutter roomy:relative',
          isOpen ? 'max-roomy:flex' : 'max-roomy:hidden',
        )}
        onBlur={({ relatedTarget }) => {
          if (!box.current?.contains(relatedTarget)) setOpen(false)
        }}
      >
        <form
          className="w-full"
          onSubmit={(event) => {
            event.preventDefault()
            const search = text.trim()
            close(search !== '')
            if (search) void navigate(parseWholeKey(search) ? paths.transactions({ search }) : paths.users({ search }))
          }}
        >
          <SearchInput
            label="Search users, transactions"
            placeholder="Search users, transactions..."
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its options come from the server
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls="search-results"
            aria-activedescendant={isOpen ? active : undefined}
            autoComplete="off"
            value={text}
            onChange={type}
            onClick={() => setOpen(true)}
            onFocus={() => prefetch(loadPopup)}
            onPointerEnter={() => prefetch(loadPopup)}
            onKeyDown={onKeyDown}
            onCompositionStart={() => {
              isComposing.current = true
            }}
            onCompositionEnd={({ currentTarget }) => {
              isComposing.current = false
              setComposed(currentTarget.value)
            }}
            hint="/"
          />
        </form>
        <LazyBoundary fallback={null}>
          {isOpen && <SearchPopup {...{ screens, box }} text={composed} onActive={setActive} onDone={close} />}
        </LazyBoundary>
      </search>
      <IconButton label="Search" onClick={open} className="ml-auto roomy:hidden">
        <Search aria-hidden />
      </IconButton>
    </>
  )
}
