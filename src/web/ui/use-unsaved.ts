import { useEffect, useEffectEvent, useRef } from 'react'
import { confirmDiscard, openForms, type OpenForm } from '#web/lib/unsaved.ts'

interface UnsavedForm {
  isEdited: () => boolean
  isSending: boolean
  /** Closes the form without asking. */
  onClose: () => void
}

/**
 * Protects a form's unsent input while it is rendered. Returns a function that asks where needed and closes the form.
 */
export function useUnsaved({ isEdited, isSending, onClose }: UnsavedForm): () => Promise<void> {
  const edited = useEffectEvent(isEdited)
  const sending = useEffectEvent(() => isSending)
  const close = useEffectEvent(onClose)
  const guard = useRef<OpenForm>(null)
  useEffect(() => {
    const form = { isEdited: () => edited(), isSending: () => sending(), close: () => close() }
    guard.current = form
    openForms.add(form)
    return () => void openForms.delete(form)
  }, [])
  return async () => {
    if (isEdited() && !(await confirmDiscard())) return
    if (guard.current) openForms.delete(guard.current)
    onClose()
  }
}
