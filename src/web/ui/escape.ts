import { useEffect } from 'react'

const open: (() => void)[] = []

/** Radix gives Escape to what appeared last, also to a toast above a dialog; this is what the toast asks first. */
export const topmostDialog = (): (() => void) | undefined => open.at(-1)

/** Says that a dialog is open, and what Escape does to it. */
export function useOpenDialog(close: () => void): void {
  useEffect(() => {
    open.push(close)
    return () => void open.splice(open.indexOf(close), 1)
  })
}
