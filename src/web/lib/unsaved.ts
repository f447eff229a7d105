import { createStore } from './store.ts'

export interface OpenForm {
  /** Whether it holds input that closing would lose. */
  isEdited: () => boolean
  /** Whether its input is being sent. Then there is nothing to discard. */
  isSending: () => boolean
  close: () => void
}
export const openForms = new Set<OpenForm>()

/** Whether any open form holds unsent input. */
export const hasUnsaved = (): boolean => [...openForms].some(({ isEdited }) => isEdited())

/** Forgets all open forms without a question. */
export const discardUnsaved = (): void => openForms.clear()

/** The open question whether to discard. Calling it with true discards. */
export const discardQuestion = createStore<((isDiscarded: boolean) => void) | null>(null)

export async function confirmDiscard(): Promise<boolean> {
  if (discardQuestion.get()) return false
  const isDiscarded = await new Promise<boolean>((resolve) => discardQuestion.set(resolve))
  discardQuestion.set(null)
  return isDiscarded
}

/** Asks before unsent input is lost. True when there is none, or when the operator discards it. */
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
