import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type ComponentProps, type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { parseWholeKey } from '#contract/whole-key.ts'
import { cn } from '#web/lib/cn.ts'
import { isComposingKey } from '#web/lib/keys.ts'
import { paths } from '#web/paths.ts'
import { usePermissions } from '#web/use-can.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { lazy, LazyBoundary, prefetch } from '#web/ui/lazy-boundary.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'
import { foldSidebar } from './fold-sidebar.ts'
import type { ScreenList } from './search/commands.tsx'
import type { SearchRequests } from './search-keys.ts'
import { parseRecentItem, storeRecent } from './search/recent.ts'
import { useInputFocus, useTypedText, useOpenRequests } from '#web/app/search/search-field.ts'
import { sessionQuery } from './session.ts'

const loadPopup = () => import('./search/search-popup.tsx')
const SearchPopup = lazy(loadPopup)

interface SearchBoxProps extends SearchRequests {
  screens: ScreenList
}

/** On every screen `[` folds the sidebar, and what is opened is remembered, for the search to offer again. */
function useEveryScreen() {
  useShortcuts({ '[': foldSidebar })
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
  const { text, composed, setTyped, compositionHandlers } = useTypedText()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState<string>()
  const box = useRef<HTMLElement>(null)
  const { input, focusInput, leaveInput } = useInputFocus(box)

  function type(typed: string) {
    setTyped(typed)
    setOpen(true)
  }
  function close(isGone: boolean) {
    setTyped('')
    setOpen(false)
    leaveInput(isGone)
  }
  const open = () => setOpen(true)
  const enter = () => input()?.form?.requestSubmit()
  useOpenRequests({ openCount, takeBuffered }, { onOpen: open, focusInput, onType: type, onEnter: enter })
  useEveryScreen()

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
        <SearchForm
          {...{ isOpen, active }}
          {...compositionHandlers}
          value={text}
          onChange={type}
          onOpen={open}
          onClose={close}
        />
        <LazyBoundary fallback={null}>
          {isOpen && <SearchPopup {...{ screens, box }} text={composed} onActive={setActive} onDone={close} />}
        </LazyBoundary>
      </search>
      <IconButton
        label="Search"
        onClick={() => {
          open()
          requestAnimationFrame(focusInput)
        }}
        className="ml-auto roomy:hidden"
      >
        <Search aria-hidden />
      </IconButton>
    </>
  )
}

type InputProps = ComponentProps<typeof SearchInput>

interface SearchFormProps extends Pick<InputProps, 'value' | 'onChange' | 'onCompositionStart' | 'onCompositionEnd'> {
  isOpen: boolean
  /** The id of the option that Enter opens. */
  active: string | undefined
  onOpen: () => void
  onClose: (isGone: boolean) => void
}

/** Its text leads to the fitting list where no option is active. */
function SearchForm({ isOpen, active, onOpen, onClose, ...input }: SearchFormProps) {
  const navigate = useNavigate()
  const granted = usePermissions()
  function submit(event: FormEvent) {
    event.preventDefault()
    const search = input.value.trim()
    onClose(search !== '')
    if (!search) return
    if (granted.has('transactions.view') && parseWholeKey(search)) void navigate(paths.transactions({ search }))
    else void navigate(granted.has('members.view') ? paths.members({ search }) : paths.orders({ search }))
  }
  return (
    <form className="w-full" onSubmit={submit}>
      <SearchInput
        {...input}
        label="Search users, transactions"
        placeholder="Search users, transactions..."
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its options come from the server
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls="search-results"
        aria-activedescendant={isOpen ? active : undefined}
        autoComplete="off"
        onClick={onOpen}
        onFocus={() => prefetch(loadPopup)}
        onPointerEnter={() => prefetch(loadPopup)}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Escape' && !isComposingKey(nativeEvent)) onClose(false)
          if (key === 'ArrowDown' || key === 'ArrowUp') onOpen()
        }}
        hint="/"
      />
    </form>
  )
}

/** The time of printing, on paper only. */
function PrintTime() {
  const [now, setNow] = useState(() => new Date().toISOString())
  useEffect(() => {
    // Renders at once, since printing does not wait.
    const onPrint = () => flushSync(() => setNow(new Date().toISOString()))
    window.addEventListener('beforeprint', onPrint)
    return () => window.removeEventListener('beforeprint', onPrint)
  }, [])
  return (
    <p className="ml-auto hidden text-12 text-quiet print:block">
      Printed <Instant value={now} />
    </p>
  )
}
