import { useEffect, useEffectEvent, useRef } from 'react'
import { confirmDiscard, openForms, type OpenForm } from '#web/lib/unsaved.ts'

interface UnsavedForm {
  isEdited: () => boolean
  isSending: boolean
  /** Closes the form without asking. */
  onClose: () => void
}

/** Guards what is written in a form while it is rendered; the result closes the form, and asks first where there is a reason. */
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
