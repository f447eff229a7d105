import type { ReactNode } from 'react'
import { formatCount } from '#web/lib/money.ts'

interface NewestNoteProps {
  count: number
  total: number
  /** The way to all of them. */
  children?: ReactNode
}

/** Says that a table has only the newest rows. */
export function NewestNote({ count, total, children }: NewestNoteProps) {
  if (count >= total) return null
  return (
    <p className="mt-2 flex gap-2 text-12 text-quiet tabular-nums">
      Showing {formatCount(count)} of {formatCount(total)}
      {children}
    </p>
  )
}
