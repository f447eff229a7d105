import type { Analytics } from '#contract/schemas/analytics.ts'

const width = 338
const height = 150
const bar = 10
const gap = 6
/** Where the three columns begin. */
const columns = { members: 0, submitted: 112, decided: width - bar } as const
/** What is there is never too thin to be seen. */
const least = 2

/** A flow from one bar to another, between two pairs of edges. */
function flow(from: number, to: number, [top, bottom]: Span, [nextTop, nextBottom]: Span): string {
  const middle = (from + to) / 2
  return `M${from} ${top}C${middle} ${top} ${middle} ${nextTop} ${to} ${nextTop}L${to} ${nextBottom}C${middle} ${nextBottom} ${middle} ${bottom} ${from} ${bottom}z`
}
type Span = readonly [top: number, bottom: number]

interface Part {
  count: number
  ink: string
  from: Span
  to: Span
}

/** Puts parts below each other, heights to scale, the targets with a gap between them. */
function stack(parts: readonly { count: number; ink: string }[], scale: number): Part[] {
  let [from, to] = [0, 0]
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, ink }) => {
      const size = count * scale
      const shown = Math.max(least, size)
      const part: Part = { count, ink, from: [from, from + size], to: [to, to + shown] }
      from += size
      to += shown + gap
      return part
    })
}

const Flows = ({ parts, from, to }: { parts: readonly Part[]; from: number; to: number }) =>
  parts.map((part) => (
    <path
      key={part.ink}
      d={flow(from + bar, to, part.from, part.to)}
      fill="currentColor"
      opacity=".2"
      className={part.ink}
    />
  ))

const Bars = ({ parts, x }: { parts: readonly Part[]; x: number }) =>
  parts.map(({ ink, to: [top, bottom] }) => (
    <rect key={ink} x={x} width={bar} y={top} height={bottom - top} rx="2" fill="currentColor" className={ink} />
  ))

/** Members → submitted → approved, pending, rejected: heights to scale. The figures stand around it as text. */
export function FunnelChart({ figures, submitted }: { figures: Analytics; submitted: number }) {
  const { totalUsers, kycCounts } = figures
  const all = Math.max(totalUsers, submitted)
  const scale = (height - 3 * gap) / Math.max(1, all)
  const first = stack(
    [
      { count: submitted, ink: 'text-accent' },
      { count: all - submitted, ink: 'text-neutral-solid' },
    ],
    scale,
  )
  const second = stack(
    [
      { count: kycCounts.approved, ink: 'text-success-solid' },
      { count: kycCounts.pending, ink: 'text-warning-solid' },
      { count: kycCounts.rejected, ink: 'text-danger-solid' },
    ],
    scale,
  )
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="keep-colour absolute inset-0 size-full outline-none!"
    >
      <Flows parts={first} from={columns.members} to={columns.submitted} />
      <Flows parts={second} from={columns.submitted} to={columns.decided} />
      <rect x={columns.members} width={bar} height={all * scale} rx="2" className="fill-accent" />
      <Bars parts={first} x={columns.submitted} />
      <Bars parts={second} x={columns.decided} />
    </svg>
  )
}
