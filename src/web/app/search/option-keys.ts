import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react'
import { isComposingKey } from '#web/lib/keys.ts'

/**
 * The option that a key leads to from option `at` of `count`. Home and End move the text cursor until an option is
 * chosen.
 */
function findNextIndex(key: string, at: number, count: number, isChosen: boolean): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return at > 0 ? at - 1 : count - 1
  if (isChosen && key === 'Home') return 0
  if (isChosen && key === 'End') return count - 1
  return undefined
}

interface OptionKeys {
  /** Better options are still loading. Enter waits for them. */
  isWaiting: boolean
  onChoose: (id: string) => void
}

/**
 * The keys of a combobox whose options are in `box`. The focus stays in its input, and `active` is the id of the option
 * that Enter opens.
 */
export function useOptionKeys(
  box: RefObject<HTMLElement | null>,
  active: string | undefined,
  isChosen: boolean,
  { isWaiting, onChoose }: OptionKeys,
): void {
  const isEntered = useRef(false)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isComposingKey(event) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (!(event.target instanceof HTMLInputElement) || !box.current?.contains(event.target)) return
    const options = [...box.current.querySelectorAll<HTMLElement>('[role=option]')]
    const at = options.findIndex(({ id }) => id === active)
    isEntered.current = event.key === 'Enter' && isWaiting
    if (event.key === 'Enter' && (isWaiting || at >= 0)) {
      event.preventDefault()
      if (!isWaiting) options[at]?.click()
    }
    const next = options[findNextIndex(event.key, at, options.length, isChosen) ?? -1]
    if (!next) return
    event.preventDefault()
    next.scrollIntoView({ block: 'nearest' })
    onChoose(next.id)
  })
  // Before the options can be seen, so that no Enter is missed. The box may come in the same moment, and is not known yet.
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  // Enter was pressed before the answer came.
  const open = useEffectEvent(() => {
    if (isEntered.current && active) document.getElementById(active)?.click()
    isEntered.current = false
  })
  useEffect(() => {
    if (!isWaiting) open()
  }, [isWaiting])
}
