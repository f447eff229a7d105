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

/** Leads from the line down to the first way off it. */
const Branch = ({ isTaken }: { isTaken: boolean }) => (
  <span
    className={cn(
      'absolute w-6 rounded-bl-l border-b-2 border-l-2 rows:top-3 rows:-bottom-6 rows:left-46 blocks:-bottom-3 blocks:left-[11px] blocks:h-8',
      isTaken ? 'border-neutral-solid' : 'border-dashed border-border-control',
    )}
  />
)

interface StepProps {
  name: string
  state: StepState
  /** How much of it has come, in percent. */
  share?: number
  /** How much of the way to the next step is gone, in percent. The last step has none. */
  reached?: number
  /** A way leads off the line behind this step. */
  branch?: 'open' | 'taken'
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
        {branch && <Branch isTaken={branch === 'taken'} />}
      </span>
      {name}
    </dt>
    {children}
  </div>
)

interface WayOutProps {
  name: string
  icon: LucideIcon
  isTaken: boolean
  isPossible: boolean
  isFirst: boolean
  children: ReactNode
}

/** A way that leads off the line, dashed until it is taken: a group of a `dl`. */
export const WayOut = ({ name, icon: Icon, isTaken, isPossible, isFirst, children }: WayOutProps) => (
  <div
    className={cn(
      'relative min-w-0 blocks:pb-4 blocks:pl-18 rows:row-start-2 rows:pt-3 rows:pr-4 rows:pb-3',
      isFirst ? 'rows:col-span-2 rows:col-start-2 rows:pl-16' : 'rows:col-span-2 rows:col-start-4 rows:pl-8',
    )}
  >
    <dt className={cn('blocks:pt-0.75', isTaken || isPossible ? 'font-semibold' : 'text-quiet')}>
      <span aria-hidden>
        {/* The order's line goes on beside it. */}
        <span className="absolute top-0 bottom-0 left-[11px] w-0.5 bg-border-strong rows:hidden" />
        {!isFirst && (
          <span className="absolute border-dashed border-border-control blocks:-top-3 blocks:left-[47px] blocks:h-3 blocks:border-l-2 rows:top-6 rows:-left-7 rows:w-5 rows:border-t-2" />
        )}
        <span
          className={cn(
            circle,
            'border-2 [&_svg]:size-3 blocks:top-0 blocks:left-9 rows:top-3',
            isFirst ? 'rows:left-8' : 'rows:left-0',
            isTaken
              ? 'border-neutral-solid bg-neutral-solid text-card'
              : 'border-dashed border-border-control text-quiet',
            !isTaken && !isPossible && 'opacity-50',
          )}
        >
          <Icon strokeWidth={2.5} />
        </span>
      </span>
      {name}
    </dt>
    <dd className="break-words text-quiet">{children}</dd>
  </div>
)
