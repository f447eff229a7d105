import { useEffectEvent, useLayoutEffect } from 'react'
import { isComposingKey } from '#web/lib/keys.ts'

/** How each open dialog answers Escape; the topmost dialog is last. */
const openDialogs: (() => void)[] = []

/**
 * Passes Escape to the topmost dialog. Returns false when none is open. Radix sends Escape to the layer that was on top
 * before its last render, which may be a toast or a covered dialog.
 */
export function passEscapeToDialog(event: KeyboardEvent): boolean {
  const close = openDialogs.at(-1)
  if (!close) return false
  if (!event.defaultPrevented && !isComposingKey(event)) close()
  event.preventDefault()
  return true
}

/** Registers an open dialog and what Escape does to it. */
export function useEscapeHandler(close: () => void): void {
  const latest = useEffectEvent(close)
  // Before the first paint, so that no Escape comes in between.
  useLayoutEffect(() => {
    const entry = () => latest()
    openDialogs.push(entry)
    return () => void openDialogs.splice(openDialogs.indexOf(entry), 1)
  }, [])
}
