import { formatCount } from '#web/lib/money.ts'

/** Says so when a table holds only the newest rows. */
export function Shown({ count, total }: { count: number; total: number }) {
  if (count >= total) return null
  return (
    <p className="mt-2 text-12 text-quiet tabular-nums">
      Showing {formatCount(count)} of {formatCount(total)}
    </p>
  )
}
