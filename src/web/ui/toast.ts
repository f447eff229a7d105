import type { ReactNode } from 'react'
import { createStore } from '#web/lib/store.ts'

export interface ToastButton {
  label: string
  run: () => void
}

export interface Toast {
  title: string
  description?: ReactNode
  tone?: 'success' | 'destructive'
  /** One button beside the words, such as Undo. What it does ends with another toast, or closes this one. */
  action?: ToastButton
}

/** The visible toast. `id` distinguishes it from an earlier one with the same text. */
export const shownToast = createStore<(Toast & { id: number }) | null>(null)

let count = 0

/** How long a toast is shown, in milliseconds (product 9.7). */
export const toastMs = 5000

/** Shows a toast for 5 seconds. It replaces the visible one. */
export function toast(shown: Toast): void {
  count += 1
  shownToast.set({ ...shown, id: count })
}
