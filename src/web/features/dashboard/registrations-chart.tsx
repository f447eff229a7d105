import { scaleBand, scaleLinear } from 'd3-scale'
import { Fragment, useId, useState } from 'react'
import type { Registrations } from '#contract/schemas/analytics.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { ChartHitAreas } from './chart-hit-areas.tsx'
import { formatAxisLabel, formatPointName } from './periods.ts'
import { nameComparison } from './use-span.ts'

const plotHeight = 262
const corner = 3
/** The free share of a bar's column, and the distance between labels in a wide and a narrow window. */
const looks = {
  '7d': { padding: 0.68, labelled: [1, 1] },
  '30d': { padding: 0.4, labelled: [5, 10] },
  '3m': { padding: 0.6, labelled: [1, 4] },
} as const

/** The x scale is in percent, so that the chart resizes without measuring. The y scale is in pixels. */
function buildScales({ points, period }: Registrations) {
  const { padding } = looks[period]
  const most = Math.max(4, ...points.flatMap(({ registrations, previous }) => [registrations, previous]))
  const x = scaleBand<number>(points.keys(), [0, 100])
    .paddingInner(padding)
    .paddingOuter(padding / 2)
  const y = scaleLinear([0, most], [plotHeight, 2 * corner]).nice(3)
  return { x, y }
}
type Scales = ReturnType<typeof buildScales>

/**
 * Registrations a day or week, beside those of the period before. Values show by pointer, touch and keyboard; screen
 * readers have the same figures as a table.
 */
export default function RegistrationsChart({ registrations }: { registrations: Registrations }) {
  const { points, unit } = registrations
  const [shown, setShown] = useState<number | null>(null)
  const isEmpty = registrations.total + registrations.previousTotal === 0
  const scales = buildScales(registrations)
  const ticks = scales.y.ticks(3).filter(Number.isInteger)
  const gutter = 12 + 7 * formatCount(ticks.at(-1) ?? 0).length
  const names = points.map(({ start }, index) => formatPointName(unit, start, index === points.length - 1))
  const point = shown === null ? undefined : points[shown]

  return (
    <div className="relative" style={{ paddingLeft: gutter }}>
      <svg aria-hidden width="100%" height={plotHeight + 30} className="block overflow-visible text-12 tabular-nums">
        {shown !== null && (
          <rect
            x={`${(shown * 100) / points.length}%`}
            width={`${100 / points.length}%`}
            height={plotHeight}
            className="fill-hover"
          />
        )}
        {ticks.map((tick) => (
          <g key={tick} transform={`translate(0 ${Math.round(scales.y(tick)) + 0.5})`}>
            <line x2="100%" className={tick === 0 ? 'stroke-border-strong' : 'stroke-border'} />
            <text x={-10} y={4} textAnchor="end" className="fill-quiet">
              {formatCount(tick)}
            </text>
          </g>
        ))}
        {!isEmpty && <Bars registrations={registrations} scales={scales} />}
        <Labels registrations={registrations} scales={scales} />
      </svg>
      {isEmpty && (
        <p className="absolute inset-x-0 top-24 text-center text-13 text-quiet">
          <span className="bg-card px-2">Nobody registered in this period or the one before.</span>
        </p>
      )}
      <ChartHitAreas registrations={registrations} names={names} left={gutter} onShow={setShown} />
      {shown !== null && point && (
        <ChartTooltip
          title={names[shown]!}
          rows={[
            ['Registrations', point.registrations],
            [nameComparison(registrations).legend, point.previous],
          ]}
          index={shown}
          count={points.length}
          left={gutter}
        />
      )}
      <RegistrationsTable registrations={registrations} names={names} />
    </div>
  )
}

/** One bar for each point, the current one hatched, with a mark for the same day or week of the previous period. */
function Bars({ registrations: { points }, scales: { x, y } }: { registrations: Registrations; scales: Scales }) {
  const hatch = useId()
  const width = x.bandwidth()
  return (
    <>
      <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line y2="6" strokeWidth="2" className="stroke-accent" opacity=".55" />
      </pattern>
      {/* The plot clips the bars' lower corners. */}
      <svg width="100%" height={plotHeight}>
        {points.map(({ start, registrations }, index) => {
          const height = registrations === 0 ? 0 : Math.max(2, plotHeight - y(registrations)) + corner
          const isRunning = index === points.length - 1
          return (
            <rect
              key={start}
              x={`${x(index)}%`}
              width={`${width}%`}
              y={plotHeight + corner - height}
              height={height}
              rx={corner}
              fill={isRunning ? `url(#${hatch})` : undefined}
              className={isRunning ? 'stroke-accent' : 'fill-accent'}
            />
          )
        })}
      </svg>
      <PreviousLine points={points} y={y} />
    </>
  )
}

/** The period that is compared with, as one line with a step a point. */
function PreviousLine({ points, y }: { points: Registrations['points']; y: Scales['y'] }) {
  const step = 100 / points.length
  const look = { strokeWidth: 2, strokeLinecap: 'square', className: 'stroke-(--neutral-solid)' } as const
  return points.map(({ start, previous }, index) => {
    const next = points[index + 1]
    const [left, right] = [`${index * step}%`, `${(index + 1) * step}%`]
    return (
      <g key={start}>
        {/* An outline in the card's colour keeps the line legible on bars. */}
        <line x1={left} x2={right} y1={y(previous)} y2={y(previous)} strokeWidth="4" className="stroke-card" />
        <line x1={left} x2={right} y1={y(previous)} y2={y(previous)} {...look} />
        {next && <line x1={right} x2={right} y1={y(previous)} y2={y(next.previous)} {...look} />}
      </g>
    )
  })
}

function Labels({
  registrations: { points, period },
  scales: { x },
}: {
  registrations: Registrations
  scales: Scales
}) {
  const last = points.length - 1
  const [wide, narrow] = looks[period].labelled
  return points.map(({ start }, index) => {
    if ((last - index) % wide !== 0) return null
    const { quiet, text } = formatAxisLabel(period, start, index === last)
    const isLastOfMany = index === last && period !== '7d'
    return (
      <text
        key={start}
        x={isLastOfMany ? '100%' : `${(x(index) ?? 0) + x.bandwidth() / 2}%`}
        y={plotHeight + 20}
        textAnchor={isLastOfMany ? 'end' : 'middle'}
        className={cn('fill-quiet', (last - index) % narrow !== 0 && 'max-md:hidden')}
      >
        {quiet && <tspan className="max-md:hidden">{quiet} </tspan>}
        {text}
      </text>
    )
  })
}

function RegistrationsTable({ registrations, names }: { registrations: Registrations; names: string[] }) {
  const { points, unit } = registrations
  return (
    <div className="sr-only">
      <table>
        <caption>Registrations a {unit}</caption>
        <thead>
          <tr>
            <th scope="col">{unit === 'day' ? 'Day' : 'Week'}</th>
            <th scope="col">Registrations</th>
            <th scope="col">{nameComparison(registrations).legend}</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ start, registrations, previous }, index) => (
            <tr key={start}>
              <th scope="row">{names[index]}</th>
              <td>{formatCount(registrations)}</td>
              <td>{formatCount(previous)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface ChartTooltipProps {
  title: string
  rows: [label: string, count: number][]
  index: number
  count: number
  /** Pixels at the left that belong to the axis. */
  left: number
}

/** The values of one bar, above the plot. It ends where the plot does. */
function ChartTooltip({ title, rows, index, count, left }: ChartTooltipProps) {
  const share = (index + 0.5) / count
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute max-md:hidden bottom-full z-10 rounded-m bg-raised px-2.5 py-2 text-12 whitespace-nowrap shadow-float"
      style={{ left: `calc(${left}px + (100% - ${left}px) * ${share})`, translate: `${-100 * share}%` }}
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
