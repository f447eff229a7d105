import { useEffect, useEffectEvent, type RefObject } from 'react'

/** Where a key leads from option `at` of `count`; at -1 none is chosen, and then Home and End are the text's. */
function nextOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return at > 0 ? at - 1 : count - 1
  if (at >= 0 && key === 'Home') return 0
  if (at >= 0 && key === 'End') return count - 1
  return undefined
}

/** `meant` is what Enter opens. The keys of a combobox whose options stand in `box`: the focus stays in its input, the choice is told by id. */
export function useOptionKeys(
  box: RefObject<HTMLElement | null>,
  meant: string | undefined,
  active: string | undefined,
  onActive: (id: string | undefined) => void,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (!(event.target instanceof HTMLInputElement)) return
    const options = [...(box.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
    const at = options.findIndex(({ id }) => id === active)
    const opened = options.find(({ id }) => id === meant)
    if (event.key === 'Enter' && opened) {
      event.preventDefault()
      opened.click()
    }
    const next = options[nextOf(event.key, at, options.length) ?? -1]
    if (!next) return
    event.preventDefault()
    next.scrollIntoView({ block: 'nearest' })
    onActive(next.id)
  })
  useEffect(() => {
    const element = box.current
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  }, [box])
  // What was chosen may have gone with a newer answer.
  useEffect(() => {
    if (active !== undefined && !document.getElementById(active)) onActive(undefined)
  })
}
