/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select can't be searched on the server */
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { isComposingKey } from '#web/lib/keys.ts'

interface ChoiceByKeys<Found> {
  found: readonly Found[]
  /** What was found is not yet that of what is typed: Enter waits for it. */
  isWaiting: boolean
  choose: (chosen: Found) => void
}

/** Chooses among what a search finds, by arrow keys and Enter while the focus stays in its field. */
export function useChoiceByKeys<Found>({ found, isWaiting, choose }: ChoiceByKeys<Found>) {
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

const showWhenActive = (isActive: boolean) => (option: HTMLElement | null) => {
  if (isActive) option?.scrollIntoView({ block: 'nearest' })
}

interface FoundOptionProps {
  id: string
  isActive: boolean
  onChoose: () => void
  children: ReactNode
}

/** One of what was found. */
export const FoundOption = ({ id, isActive, onChoose, children }: FoundOptionProps) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the keys are the input's, which keeps the focus
  <div
    id={id}
    ref={showWhenActive(isActive)}
    role="option"
    aria-selected={isActive}
    onClick={onChoose}
    className={cn(
      'flex cursor-pointer flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-m px-2 py-2 text-13',
      isActive ? 'bg-accent-soft' : 'hover:bg-hover',
    )}
  >
    {children}
  </div>
)
