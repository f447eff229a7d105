import { Check, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

// Side by side in a wide card (`rows`), one below the other in a narrow one (`blocks`).

const circle = 'keep-colour absolute grid size-6 place-items-center rounded-full [&_svg]:size-3.5'

/** `part`: some of it has come. `closed`: it no longer comes. */
type StepState = 'done' | 'part' | 'next' | 'closed'

function StepCircle({ state, share }: { state: StepState; share: number }) {
  if (state === 'part')
    return (
      <span
        className={cn(circle, 'top-0 left-0')}
        style={{
          background: `conic-gradient(var(--accent) ${share}%, var(--border-control) 0)`,
          mask: 'radial-gradient(circle, transparent 7.5px, black 8.5px)',
        }}
      />
    )
  const look = state === 'done' ? 'border-success-solid bg-success-solid text-card' : 'border-border-control'
  return (
    <span className={cn(circle, 'top-0 left-0 border-2', look)}>{state === 'done' && <Check strokeWidth={3} />}</span>
  )
}

/** The line to the next step, of which `reached` percent are gone. */
const Line = ({ reached }: { reached: number }) => (
  <>
    <span
      className="absolute top-[11px] right-2 left-8 h-0.5 rounded-full blocks:hidden"
      style={{ background: `linear-gradient(to right, var(--success-solid) ${reached}%, var(--border-strong) 0)` }}
    />
    <span
      className={cn(
        'absolute top-7 bottom-1 left-[11px] w-0.5 rounded-full rows:hidden',
        reached === 100 ? 'bg-success-solid' : 'bg-border-strong',
      )}
    />
  </>
)

/** Leads from the line down to the ways off it. Where steps stand below each other, they are beside it anyway. */
const Branch = ({ look }: { look: string }) => (
  <span className={cn('absolute border-l-2 blocks:hidden rows:top-3 rows:bottom-0 rows:left-46', look)} />
)

interface StepProps {
  name: string
  state: StepState
  /** How much of it has come, in percent. */
  share?: number
  /** How much of the way to the next step is gone, in percent. The last step has none. */
  reached?: number
  /** How the first way off the line stands, which leads off behind this step. */
  branch?: WayState
  className: string
  children: ReactNode
}

/** A step on the order's line: a group of a `dl`. */
export const Step = ({ name, state, share = 0, reached, branch, className, children }: StepProps) => (
  <div
    className={cn(
      'relative min-w-0 blocks:pb-4 blocks:pl-9 rows:row-start-1 rows:pt-8 rows:pr-4 rows:pb-2',
      // Text stays left of the branch.
      branch && 'rows:pb-0 rows:[&>dd]:max-w-42',
      state === 'closed' && 'text-quiet',
      className,
    )}
  >
    <dt className="font-semibold blocks:pt-0.75">
      <span aria-hidden>
        <StepCircle state={state} share={share} />
        {reached !== undefined && <Line reached={reached} />}
        {branch && <Branch look={wayLines[branch]} />}
      </span>
      {name}
    </dt>
    {children}
  </div>
)

/** `ended`: it can't be taken any more. */
export type WayState = 'taken' | 'open' | 'ended'

const wayLines: Record<WayState, string> = {
  taken: 'border-neutral-solid',
  open: 'border-dashed border-border-control',
  ended: 'border-dashed border-border-strong',
}

interface WayOutProps {
  name: string
  icon: LucideIcon
  state: WayState
  /** How the one below it stands. */
  next: WayState | undefined
  children: ReactNode
}

/** A way that leads off the line, dashed until it is taken: a group of a `dl`. */
export const WayOut = ({ name, icon: Icon, state, next, children }: WayOutProps) => (
  <div className="relative blocks:pb-4 blocks:pl-18 rows:col-[2/-1] rows:flex rows:gap-2 rows:py-2.25 rows:pl-16">
    <dt className={cn('shrink-0 blocks:pt-0.75 rows:w-18', state === 'ended' ? 'text-quiet' : 'font-semibold')}>
      <span aria-hidden>
        {/* The order's line goes on beside it. */}
        <span className="absolute top-0 bottom-0 left-[11px] w-0.5 bg-border-strong rows:hidden" />
        <span
          className={cn(
            'absolute w-6 border-b-2 blocks:top-[11px] blocks:left-3',
            'rows:top-0 rows:left-0 rows:h-4.75',
            // Of two that look the same the line of the lower one leads here as well.
            next !== state && 'rows:rounded-bl-l rows:border-l-2',
            wayLines[state],
          )}
        />
        {next && <span className={cn('absolute top-0 bottom-0 left-0 border-l-2 blocks:hidden', wayLines[next])} />}
        <span
          className={cn(
            circle,
            'border-2 [&_svg]:size-3 blocks:top-0 blocks:left-9 rows:top-1.5 rows:left-8',
            wayLines[state],
            state === 'taken' ? 'bg-neutral-solid text-card' : 'bg-card text-quiet',
            state === 'ended' && '*:opacity-50',
          )}
        >
          <Icon strokeWidth={2.5} />
        </span>
      </span>
      {name}
    </dt>
    <dd className="min-w-0 break-words text-quiet">{children}</dd>
  </div>
)
