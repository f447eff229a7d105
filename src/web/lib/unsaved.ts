import { createStore } from './store.ts'

export interface OpenForm {
  /** Whether it holds something that would be lost with it. */
  isEdited: () => boolean
  /** What it holds is on its way to the server: leaving is no longer the operator's choice. */
  isSending: () => boolean
  close: () => void
}
export const openForms = new Set<OpenForm>()

/** Whether something that the operator wrote is open. */
export const hasUnsaved = (): boolean => [...openForms].some(({ isEdited }) => isEdited())

/** Nobody is asked any more for what is open: it was given up, or it goes with the session. */
export const discardUnsaved = (): void => openForms.clear()

/** The question whether to discard, while it waits for an answer; true discards. */
export const discardQuestion = createStore<((isDiscarded: boolean) => void) | null>(null)

export async function confirmDiscard(): Promise<boolean> {
  if (discardQuestion.get()) return false
  const isDiscarded = await new Promise<boolean>((resolve) => discardQuestion.set(resolve))
  discardQuestion.set(null)
  return isDiscarded
}

/** Asks before a page is left with something unsent; true when nothing is, or when the operator gives it up. */
export async function confirmLeave({ closeForms = false } = {}): Promise<boolean> {
  const edited = [...openForms].filter(({ isEdited, isSending }) => isEdited() && !isSending())
  if (edited.length === 0) return true
  if (!(await confirmDiscard())) return false
  for (const form of edited) {
    openForms.delete(form)
    if (closeForms) form.close()
  }
  return true
}
