import { useEffectEvent, useLayoutEffect } from 'react'

/** How each open dialog answers Escape; the topmost dialog is last. */
const openDialogs: (() => void)[] = []

/**
 * Gives an Escape to the topmost dialog; false when none is open. Radix tells the layer that it took for the highest
 * before its last render: a toast above a dialog, or a dialog on which another one has just appeared.
 */
export function passEscapeToDialog(event: KeyboardEvent): boolean {
  const close = openDialogs.at(-1)
  if (!close) return false
  if (!event.defaultPrevented) close()
  event.preventDefault()
  return true
}

/** Says that a dialog is open, and what Escape does to it. */
export function useEscapeHandler(close: () => void): void {
  const latest = useEffectEvent(close)
  // Before the dialog can be seen, so that no Escape comes in between.
  useLayoutEffect(() => {
    const entry = () => latest()
    openDialogs.push(entry)
    return () => void openDialogs.splice(openDialogs.indexOf(entry), 1)
  }, [])
}
