import { useEffect, useEffectEvent } from 'react'
import { isComposingKey } from '#web/lib/keys.ts'
import { isField, useShortcuts } from '#web/ui/use-shortcuts.ts'

const overlay = '[role=dialog], [role=alertdialog], [role=menu]'
/** What Enter presses by itself. The chosen candidate is none: it was pressed before, and Enter applies it. */
const pressed = 'a, button:not([data-candidate][aria-pressed=true]), summary, [role=tab]'

const isPlain = (event: KeyboardEvent) => {
  const { ctrlKey, metaKey, altKey, repeat, defaultPrevented } = event
  return !(ctrlKey || metaKey || altKey || repeat || defaultPrevented || isComposingKey(event))
}

interface LineKeys {
  onApply: () => void
  onFind: (() => void) | false
  onEscape: (() => void) | false
  /** Letters and digits; false for those that mean nothing now. */
  keys: Record<string, (() => void) | false | undefined>
}

/** The keys of an open line. Enter in a field is the form's own. */
export function useLineKeys({ onApply, onFind, onEscape, keys }: LineKeys): void {
  useShortcuts(keys)
  const onEnter = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event
    if (key !== 'Enter' || !isPlain(event) || document.querySelector(overlay) || isField(target)) return
    if (target instanceof Element && target.closest(pressed)) return
    event.preventDefault()
    onApply()
  })
  // Before the header's search, which opens by the same key on every other screen.
  const onSlash = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event
    if (key !== '/' || onFind === false || !isPlain(event) || document.querySelector(overlay) || isField(target)) return
    event.preventDefault()
    onFind()
  })
  const onBack = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || onEscape === false || !isPlain(event) || document.querySelector(overlay)) return
    event.preventDefault()
    onEscape()
  })
  useEffect(() => {
    const stop = new AbortController()
    for (const handler of [onEnter, onBack]) window.addEventListener('keydown', handler, { signal: stop.signal })
    window.addEventListener('keydown', onSlash, { signal: stop.signal, capture: true })
    return () => stop.abort()
  }, [])
}
