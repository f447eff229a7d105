import { useRef, useState, type KeyboardEvent } from 'react'
import type { Transfers } from '#contract/schemas/analytics.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { formatAxisLabel, formatPointName } from './periods.ts'

const types = ['deposit', 'withdrawal'] as const
/** The distance between labels. */
const labelled = { '7d': 1, '30d': 7, '3m': 4 } as const

interface ChartStop {
  index: number
  row: number
}

/**
 * Deposits above the line, withdrawals below it, a day or week a column; each leads to its transfers. One tab stop: the
 * arrow keys go from day to day and between the two.
 */
export function TransfersChart({ figures }: { figures: Transfers }) {
  const { points, unit } = figures
  const last = points.length - 1
  const [stop, setStop] = useState<ChartStop>({ index: last, row: 0 })
  const group = useRef<HTMLFieldSetElement>(null)
  const shown = points[stop.index]

  function onKeyDown(event: KeyboardEvent) {
    const { index, row } = stop
    const next = {
      ArrowLeft: { index: index - 1, row },
      ArrowRight: { index: index + 1, row },
      ArrowUp: { index, row: 0 },
      ArrowDown: { index, row: 1 },
      Home: { index: 0, row },
      End: { index: last, row },
    }[event.key]
    if (!next) return
    event.preventDefault()
    const place = Math.min(last, Math.max(0, next.index)) * types.length + next.row
    group.current?.querySelectorAll('a')[place]?.focus()
  }

  return (
    <div className="px-4">
      <fieldset ref={group} aria-label={`Transfers a ${unit}`} className="flex h-32">
        <Columns figures={figures} stop={stop} onStop={setStop} onKeyDown={onKeyDown} />
      </fieldset>
      <AxisLabels figures={figures} />
      {shown && (
        <p aria-hidden className="mt-1.5 min-h-4 text-12 text-quiet tabular-nums">
          {formatPointName(unit, shown.start, stop.index === last)}:{' '}
          <b className="font-medium text-ink">{formatCount(shown.deposits)}</b> in,{' '}
          <b className="font-medium text-ink">{formatCount(shown.withdrawals)}</b> out
        </p>
      )}
    </div>
  )
}

interface ColumnsProps {
  figures: Transfers
  stop: ChartStop
  onStop: (place: ChartStop) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function Columns({ figures: { points, unit }, stop, onStop, onKeyDown }: ColumnsProps) {
  const most = Math.max(1, ...points.flatMap(({ deposits, withdrawals }) => [deposits, withdrawals]))
  return points.map((point, index) => (
    <div key={point.start} className="flex min-w-0 flex-1 flex-col">
      {types.map((type, row) => {
        const count = point[`${type}s`]
        const name = formatPointName(unit, point.start, index === points.length - 1)
        return (
          <Link
            key={type}
            {...paths.transactions({ type, status: 'completed', from: point.start, to: point.end })}
            aria-label={`${name}: ${formatCount(count)} ${type}${count === 1 ? '' : 's'}`}
            tabIndex={index === stop.index && row === stop.row ? 0 : -1}
            onKeyDown={onKeyDown}
            onFocus={() => onStop({ index, row })}
            onMouseEnter={() => onStop({ index, row })}
            className={cn(
              'flex h-16 justify-center px-[12%] -outline-offset-2! hover:bg-hover',
              row === 0 ? 'items-end border-b border-border-strong' : 'items-start',
            )}
          >
            <span
              aria-hidden
              className={cn(
                'keep-colour w-full max-w-8',
                row === 0 ? 'rounded-t-[3px] bg-accent' : 'rounded-b-[3px] bg-neutral-solid',
                count === 0 && 'hidden',
              )}
              style={{ height: `${Math.max(3, (count / most) * 92)}%` }}
            />
          </Link>
        )
      })}
    </div>
  ))
}

function AxisLabels({ figures: { points, period } }: { figures: Transfers }) {
  const last = points.length - 1
  return (
    <div aria-hidden className="flex h-5 pt-1 text-12 text-quiet tabular-nums">
      {points.map(({ start }, index) => {
        const { quiet, text } = formatAxisLabel(period, start, index === last)
        return (
          <span key={start} className="flex min-w-0 flex-1 justify-center whitespace-nowrap">
            {(last - index) % labelled[period] === 0 && (
              <span>
                {quiet && <span className="max-md:hidden">{quiet} </span>}
                {text}
              </span>
            )}
          </span>
        )
      })}
    </div>
  )
}
