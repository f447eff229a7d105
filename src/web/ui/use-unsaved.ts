import { useEffect, useEffectEvent, useRef } from 'react'
import { confirmDiscard, discardQuestion, openForms, type OpenForm } from '#web/lib/unsaved.ts'

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
  const isAsking = useRef(false)
  /** Takes back the form's own question: what is being sent or gone is not to be discarded. */
  const withdrawQuestion = useEffectEvent(() => {
    if (isAsking.current) discardQuestion.get()?.(false)
  })
  useEffect(() => {
    const form = { isEdited: () => edited(), isSending: () => sending(), close: () => close() }
    guard.current = form
    openForms.add(form)
    return () => {
      openForms.delete(form)
      withdrawQuestion()
    }
  }, [])
  useEffect(() => {
    if (isSending) withdrawQuestion()
  }, [isSending])
  return async () => {
    if (isAsking.current) return
    if (isEdited()) {
      isAsking.current = true
      const isDiscarded = await confirmDiscard()
      isAsking.current = false
      if (!isDiscarded) return
    }
    if (guard.current) openForms.delete(guard.current)
    onClose()
  }
}
