import { Fragment } from 'react'
import { formatCount } from '#web/lib/money.ts'

interface ChartTooltipProps {
  title: string
  rows: [label: string, count: number][]
  index: number
  count: number
  /** Pixels at the left that belong to the axis. */
  left: number
}

/** The values of one bar, beside its column: to the right of it in the left half, to the left in the right half. */
export function ChartTooltip({ title, rows, index, count, left }: ChartTooltipProps) {
  const isRight = index >= count / 2
  const share = isRight ? (count - index) / count : (index + 1) / count
  const away = `min(calc((100% - ${left}px) * ${share} + 8px), calc(100% - 190px))`
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute max-md:hidden top-1.5 z-10 rounded-m bg-raised px-2.5 py-2 text-12 whitespace-nowrap shadow-float"
      style={isRight ? { right: away } : { left: `calc(${left}px + ${away})` }}
    >
      <b>{title}</b>
      <dl className="mt-1 grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5">
        {rows.map(([label, value]) => (
          <Fragment key={label}>
            <dt className="text-quiet">{label}</dt>
            <dd className="text-right font-medium tabular-nums">{formatCount(value)}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}
