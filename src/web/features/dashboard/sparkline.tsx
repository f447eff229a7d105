const width = 64
const height = 20
/** Room for the line's own width and for the point at its end. */
const inset = 2

/** The course of a figure, without an axis, its end marked. A screen reader has the figure and its comparison. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(...values)
  const least = Math.min(...values)
  const x = (index: number) => inset + (index * (width - 2 * inset)) / Math.max(1, values.length - 1)
  const y = (value: number) =>
    most === least ? height / 2 : height - inset - ((value - least) * (height - 2 * inset)) / (most - least)
  const line = values.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('L')
  const last = values.length - 1
  return (
    <svg aria-hidden viewBox={`0 0 ${width} ${height}`} className="h-5 w-16 shrink-0 overflow-visible">
      <path d={`M${line}L${x(last)} ${height}L${x(0)} ${height}z`} className="fill-accent-soft" />
      <path
        d={`M${line}`}
        fill="none"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="stroke-accent"
      />
      <circle cx={x(last)} cy={y(values[last]!)} r="2" className="fill-accent" />
    </svg>
  )
}
