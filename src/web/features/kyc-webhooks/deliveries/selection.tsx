import { createContext, use, useState } from 'react'
import type { Delivery } from '#contract/schemas/deliveries.ts'
import { cn } from '#web/lib/cn.ts'

/** The selected messages of the page. Only those that can be resent can be selected. */
interface Selection {
  rows: readonly Delivery[]
  chosen: string[]
  set: (ids: readonly string[], isChosen: boolean) => void
}
// Cells read the selection from context, so that the columns stay the same and no checkbox loses its focus.
export const SelectionContext = createContext<Selection | null>(null)

/** A selection belongs to its `place` (filters and page), and to messages that can still be resent. */
export function useSelection(rows: readonly Delivery[], place: string): Selection {
  const [choice, setChoice] = useState<{ place: string; ids: readonly string[] }>({ place, ids: [] })
  const current = choice.place === place ? choice.ids : []
  return {
    rows,
    chosen: rows.filter(({ id, canResend }) => canResend && current.includes(id)).map(({ id }) => id),
    set: (ids, isChosen) =>
      setChoice({ place, ids: [...current.filter((id) => !ids.includes(id)), ...(isChosen ? ids : [])] }),
  }
}

interface CheckboxProps {
  label: string
  checked: boolean
  isMixed?: boolean
  disabled?: boolean
  /** A visible label. By default only screen readers get it. */
  text?: string
  className?: string | undefined
  onChange: (checked: boolean) => void
}
const Checkbox = ({ label, checked, isMixed = false, disabled, text, className, onChange }: CheckboxProps) => (
  // The label is the target, larger than the box.
  <label
    className={cn(
      '-m-2 flex min-h-8 items-center gap-2 p-2 text-13',
      text === undefined && 'w-8',
      !disabled && 'cursor-pointer',
      className,
    )}
  >
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      ref={(box) => {
        if (box) box.indeterminate = isMixed
      }}
      onChange={({ target }) => onChange(target.checked)}
      className="size-4 shrink-0 accent-(--accent)"
    />
    {text}
  </label>
)

export function RowCheckbox({ delivery: { id, type, entityId, canResend } }: { delivery: Delivery }) {
  const selection = use(SelectionContext)
  if (!selection || !canResend) return null
  return (
    <Checkbox
      label={`Select ${type} of ${entityId}`}
      checked={selection.chosen.includes(id)}
      onChange={(isChosen) => selection.set([id], isChosen)}
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
    <Checkbox
      label="Select all on this page"
      checked={isWhole}
      isMixed={count > 0 && !isWhole}
      disabled={ids.length === 0}
      className={className}
      {...(text !== undefined && { text })}
      onChange={(isChosen) => selection.set(ids, isChosen)}
    />
  )
}
