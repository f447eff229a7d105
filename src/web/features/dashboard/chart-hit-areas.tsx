import { useRef, useState, type KeyboardEvent } from 'react'
import type { Registrations } from '#contract/schemas/analytics.ts'
import { formatCount } from '#web/lib/money.ts'
import { previousLabels } from './periods.ts'

interface ChartHitAreasProps {
  registrations: Registrations
  names: string[]
  /** Pixels at the left that belong to the axis. */
  left: number
  onShow: (index: number | null) => void
}

/** A column over each bar that shows its values on hover, tap or focus. One tab stop, with arrow keys inside. */
export function ChartHitAreas({ registrations, names, left, onShow }: ChartHitAreasProps) {
  const { points, period, unit } = registrations
  const last = points.length - 1
  const [focusIndex, setStop] = useState(last)
  const group = useRef<HTMLFieldSetElement>(null)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') return onShow(null)
    const next = { ArrowLeft: focusIndex - 1, ArrowRight: focusIndex + 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const columns = group.current?.querySelectorAll('button')
    columns?.[Math.min(last, Math.max(0, next))]?.focus()
  }

  return (
    <fieldset
      ref={group}
      aria-label={`Registrations a ${unit}: ${formatCount(registrations.total)} in all`}
      className="absolute top-0 right-0 bottom-7 flex"
      style={{ left }}
    >
      {points.map(({ start, registrations, previous }, index) => (
        <button
          key={start}
          type="button"
          aria-label={`${names[index]}: ${formatCount(registrations)} registered; ${previousLabels[period].legend.toLowerCase()}: ${formatCount(previous)}`}
          tabIndex={index === Math.min(focusIndex, last) ? 0 : -1}
          onKeyDown={onKeyDown}
          onMouseEnter={() => onShow(index)}
          onMouseLeave={() => onShow(null)}
          onClick={() => onShow(index)}
          onFocus={() => {
            setStop(index)
            onShow(index)
          }}
          onBlur={() => onShow(null)}
          className="min-w-0 flex-1 cursor-default! rounded-s -outline-offset-2!"
        />
      ))}
    </fieldset>
  )
}
