import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent as ReactKeyboardEvent } from 'react'
import { cn } from '#web/lib/cn.ts'
import { paths } from '#web/paths.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
const overlay = '[role=dialog], [role=alertdialog], [role=menu]'

/** Leads to the members that fit what was typed; `/` comes here from anywhere. Below 900 px it opens over the header. */
export function SearchBox() {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || document.querySelector(overlay)) return
      event.preventDefault()
      setOpen(true)
      requestAnimationFrame(() => form.current?.querySelector('input')?.focus())
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  function open() {
    setOpen(true)
    requestAnimationFrame(() => form.current?.querySelector('input')?.focus())
  }
  function close() {
    setOpen(false)
    setText('')
  }
  function onKeyDown(event: ReactKeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Escape') return
    close()
    event.currentTarget.blur()
  }
  return (
    <>
      <search
        className={cn(
          'ml-auto w-80 min-w-50 shrink-[999] max-roomy:absolute max-roomy:inset-x-0 max-roomy:top-0 max-roomy:z-10 max-roomy:ml-0 max-roomy:h-full max-roomy:w-auto max-roomy:items-center max-roomy:bg-surface max-roomy:gutter',
          isOpen ? 'max-roomy:flex' : 'max-roomy:hidden',
        )}
      >
        <form
          ref={form}
          className="w-full"
          onSubmit={(event) => {
            event.preventDefault()
            const search = text.trim()
            close()
            if (search) void navigate(paths.users({ search }))
          }}
        >
          <SearchInput
            label="Search users, transactions"
            placeholder="Search users, transactions..."
            value={text}
            onChange={setText}
            onKeyDown={onKeyDown}
            onBlur={(event) => {
              if (!form.current?.contains(event.relatedTarget)) setOpen(false)
            }}
            hint="/"
          />
        </form>
      </search>
      <IconButton label="Search" onClick={open} className="ml-auto roomy:hidden">
        <Search aria-hidden />
      </IconButton>
    </>
  )
}
