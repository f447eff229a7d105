import { useEffect, useRef, type RefObject } from 'react'
import { isComposingKey } from '#web/lib/keys.ts'
import { useEscapeHandler } from '#web/ui/escape.ts'

const overlay = '[role=dialog], [role=alertdialog], [role=menu]'

/** Escape goes one step back and Ctrl or Cmd with Enter confirms, also in text fields of `container`. */
export function useFormKeys(
  container: RefObject<HTMLElement | null>,
  { onEscape, onConfirm }: { onEscape: () => void; onConfirm: (() => void) | undefined },
): void {
  const latest = useRef({ onEscape, onConfirm })
  useEffect(() => {
    latest.current = { onEscape, onConfirm }
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.defaultPrevented || isComposingKey(event) || document.querySelector(overlay)) return
      const isElsewhere = target instanceof HTMLElement && target.matches('input, select, textarea')
      if (isElsewhere && !container.current?.contains(target)) return
      const { onEscape: back, onConfirm: confirm } = latest.current
      if (key === 'Escape') {
        event.preventDefault()
        back()
      } else if (key === 'Enter' && (event.ctrlKey || event.metaKey) && confirm) {
        event.preventDefault()
        confirm()
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [container])
  // A toast leaves Escape to this screen, as to a dialog.
  useEscapeHandler(() => latest.current.onEscape())
}
