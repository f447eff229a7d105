import { cloneElement, type MouseEvent } from 'react'
import { cn } from '#web/lib/cn.ts'
import type { Entry } from './entries.ts'

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
export function Option({ entry: { icon, title, caption, aside, link, run }, id, isActive, onDone }: OptionProps) {
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
