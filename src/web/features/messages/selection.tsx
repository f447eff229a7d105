import { createContext, use, useState } from 'react'
import type { Message } from '#contract/schemas/messages.ts'
import { SelectBox } from '#web/bulk/select-column.tsx'

/** The selected messages of the page. Only those that can be resent can be selected. */
interface Selection {
  rows: readonly Message[]
  chosen: string[]
  set: (ids: readonly string[], isChosen: boolean) => void
}
// Cells read the selection from context, so that the columns stay the same and no checkbox loses its focus.
export const SelectionContext = createContext<Selection | null>(null)

/** A selection belongs to its `place` (filters and page), and to messages that can still be resent. */
export function useSelection(rows: readonly Message[], place: string): Selection {
  const [choice, setChoice] = useState<{ place: string; ids: readonly string[] }>({ place, ids: [] })
  const current = choice.place === place ? choice.ids : []
  return {
    rows,
    chosen: rows.filter(({ id, canResend }) => canResend && current.includes(id)).map(({ id }) => id),
    set: (ids, isChosen) =>
      setChoice({ place, ids: [...current.filter((id) => !ids.includes(id)), ...(isChosen ? ids : [])] }),
  }
}

export function RowCheckbox({ message: { id, type, entityId, canResend } }: { message: Message }) {
  const selection = use(SelectionContext)
  if (!selection || !canResend) return null
  return (
    <SelectBox
      label={`Select ${type} of ${entityId}`}
      checked={selection.chosen.includes(id)}
      onChange={() => selection.set([id], !selection.chosen.includes(id))}
    />
  )
}

/** In the table's head, or with a text in the toolbar where the head is hidden. */
export function PageCheckbox({ text, className }: { text?: string; className?: string }) {
  const selection = use(SelectionContext)
  if (!selection) return null
  const ids = selection.rows.filter(({ canResend }) => canResend).map(({ id }) => id)
  const count = ids.filter((id) => selection.chosen.includes(id)).length
  const isWhole = count > 0 && count === ids.length
  return (
    <SelectBox
      label="Select all on this page"
      checked={isWhole}
      isMixed={count > 0 && !isWhole}
      disabled={ids.length === 0}
      className={className}
      {...(text !== undefined && { text })}
      onChange={() => selection.set(ids, !isWhole)}
    />
  )
}
