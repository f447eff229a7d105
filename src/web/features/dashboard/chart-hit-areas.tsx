import { useRef, useState, type KeyboardEvent } from 'react'
import type { Registrations } from '#contract/schemas/analytics.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { useCan } from '#web/use-can.ts'
import { endOf } from './periods.ts'
import { nameComparison } from './use-span.ts'

interface ChartHitAreasProps {
  registrations: Registrations
  names: string[]
  /** Pixels at the left that belong to the axis. */
  left: number
  onShow: (index: number | null) => void
}

/**
 * A column over each bar that shows its values on hover or focus and leads to the members who registered then. One tab
 * stop, with arrow keys inside.
 */
export function ChartHitAreas({ registrations: { points, unit, ...registrations }, ...props }: ChartHitAreasProps) {
  const { names, left, onShow } = props
  const last = points.length - 1
  const [focusIndex, setStop] = useState(last)
  const group = useRef<HTMLFieldSetElement>(null)
  const mayOpen = useCan('members.view')
  const compared = nameComparison(registrations).legend.toLowerCase()

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') return onShow(null)
    const next = { ArrowLeft: focusIndex - 1, ArrowRight: focusIndex + 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const columns = group.current?.querySelectorAll<HTMLElement>('a, button')
    columns?.[Math.min(last, Math.max(0, next))]?.focus()
  }

  return (
    <fieldset
      ref={group}
      aria-label={`Registrations a ${unit}: ${formatCount(registrations.total)} in all`}
      className="absolute top-0 right-0 bottom-7 flex"
      style={{ left }}
    >
      {points.map((point, index) => {
        const column = {
          'aria-label': `${names[index]}: ${formatCount(point.registrations)} registered; ${compared}: ${formatCount(point.previous)}`,
          tabIndex: index === Math.min(focusIndex, last) ? 0 : -1,
          onKeyDown,
          onMouseEnter: () => onShow(index),
          onMouseLeave: () => onShow(null),
          onFocus: () => {
            setStop(index)
            onShow(index)
          },
          onBlur: () => onShow(null),
          className: 'min-w-0 flex-1 rounded-s -outline-offset-2!',
        }
        return mayOpen ? (
          <Link key={point.start} {...paths.members({ from: point.start, to: endOf(unit, point.start) })} {...column} />
        ) : (
          <button key={point.start} type="button" {...column} />
        )
      })}
    </fieldset>
  )
}
