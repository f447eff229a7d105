import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent as ReactKeyboardEvent } from 'react'
import { isWholeKey } from '#contract/search.ts'
import { cn } from '#web/lib/cn.ts'
import { paths } from '#web/paths.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { fetchAhead, lazy, Lazily } from '#web/ui/lazily.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import type { Screens } from './search/commands.tsx'

const loadPopup = () => import('./search/search-popup.tsx')
const SearchPopup = lazy(loadPopup)

interface SearchBoxProps {
  screens: Screens
  /** How often its keys have been pressed, also before the box was there. */
  calls: number
}

/**
 * Global search and the door to every screen and action; what it finds is fetched with its first use. Below 900 px it
 * opens over the header. Enter without a choice leads to the list that fits.
 */
export default function SearchBox({ screens, calls }: SearchBoxProps) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState<string>()
  const box = useRef<HTMLElement>(null)
  const opener = useRef<Element>(null)
  const input = () => box.current?.querySelector('input')

  function enter() {
    if (document.activeElement !== input()) opener.current = document.activeElement
    requestAnimationFrame(() => input()?.select())
  }
  const onCall = useEffectEvent(enter)
  const [answered, setAnswered] = useState(0)
  if (calls !== answered) {
    setAnswered(calls)
    setOpen(true)
  }
  useEffect(() => {
    if (calls > 0) onCall()
  }, [calls])

  function open() {
    setOpen(true)
    enter()
  }
  function type(typed: string) {
    setText(typed)
    setActive(undefined)
    setOpen(true)
  }
  /** Reading goes on where it was, or at the page that was gone to. */
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
            if (search) void navigate(isWholeKey(search) ? paths.transactions({ search }) : paths.users({ search }))
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
            aria-activedescendant={active}
            autoComplete="off"
            value={text}
            onChange={type}
            onClick={() => setOpen(true)}
            onFocus={() => fetchAhead(loadPopup)}
            onPointerEnter={() => fetchAhead(loadPopup)}
            onKeyDown={onKeyDown}
            hint="/"
          />
        </form>
        <Lazily fallback={null}>
          {isOpen && <SearchPopup {...{ screens, text, box, active }} onActive={setActive} onDone={close} />}
        </Lazily>
      </search>
      <IconButton label="Search" onClick={open} className="ml-auto roomy:hidden">
        <Search aria-hidden />
      </IconButton>
    </>
  )
}
