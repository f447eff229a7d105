import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Analytics } from '#contract/schemas/analytics.ts'
import type { SubmissionFilter } from '#contract/members.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths, undecidedKyc } from '#web/paths.ts'
import { toneInk, type Tone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { FunnelChart } from './funnel-chart.tsx'
import { KycWaits } from './kyc-waits.tsx'
import { figuresQuery } from './queries.ts'

type Rate = keyof Analytics['kycApprovalRates']
const rates: { rate: Rate; label: string; icon: LucideIcon; tone: Tone; submission: SubmissionFilter }[] = [
  { rate: 'approved', label: 'Approved', icon: CircleCheck, tone: 'success', submission: 'approved' },
  { rate: 'pending', label: 'Pending', icon: Clock, tone: 'warning', submission: 'undecided' },
  { rate: 'rejected', label: 'Rejected', icon: CircleX, tone: 'danger', submission: 'rejected' },
]
const figureLook = 'hit-area block link-subject'

/** The way of the members through KYC, the shares of who ever submitted, and how long cases wait (product 5.1). */
export function KycRates({ title, className }: { title: string; className: string }) {
  const query = useQuery(figuresQuery())
  const { data } = query
  const details = (
    <Button asChild size="small">
      <Link {...paths.kyc(undecidedKyc)}>View Details</Link>
    </Button>
  )
  return (
    <Panel title={title} end={details} className={className}>
      {!data && query.isError ? (
        <LoadFailure what="The approval rates" query={query} className="flex-1" />
      ) : (
        <div className="flex flex-1 flex-col px-4 pt-1 pb-4">
          <Funnel figures={data} />
          <Rates figures={data} />
          <KycWaits />
        </div>
      )}
    </Panel>
  )
}

const countSubmitted = ({ kycCounts }: Analytics) => Object.values(kycCounts).reduce((sum, count) => sum + count, 0)

function Funnel({ figures }: { figures: Analytics | undefined }) {
  const submitted = figures && countSubmitted(figures)
  return (
    <>
      <div className="grid grid-cols-[33%_minmax(0,1fr)_auto] pb-2 text-12 text-quiet">
        <Figure to={paths.members()} label="Members" count={figures?.totalUsers} />
        <Figure to={paths.members({ submission: 'any' })} label="Submitted" count={submitted} />
        <Figure
          to={paths.members({ submission: 'approved' })}
          label="Approved"
          count={figures?.kycCounts.approved}
          isLast
        />
      </div>
      <div className="relative min-h-32 flex-1">
        {figures && submitted !== undefined && submitted > 0 && <FunnelChart figures={figures} submitted={submitted} />}
        {submitted === 0 && (
          <p className="grid h-full place-content-center text-13 text-quiet">Nobody has submitted yet</p>
        )}
        {!figures && <Skeleton className="h-full w-full" />}
        {figures && submitted !== undefined && submitted > 0 && figures.totalUsers > submitted && (
          <span className="absolute bottom-1 left-[38%] text-12 text-quiet tabular-nums">
            <Link {...paths.members({ submission: 'none' })} className={figureLook}>
              {formatCount(figures.totalUsers - submitted)} not submitted
            </Link>
          </span>
        )}
      </div>
    </>
  )
}

interface FigureProps {
  to: ReturnType<typeof paths.members>
  label: string
  count: number | undefined
  isLast?: boolean
}

const Figure = ({ to, label, count, isLast = false }: FigureProps) => (
  <span className={cn('min-w-0', isLast && 'text-right')}>
    {count === undefined ? (
      <Skeleton className="my-1 h-4 w-12" />
    ) : (
      <Link {...to} className={figureLook} aria-label={`${formatCount(count)} ${label}`}>
        <b className="block text-16 font-semibold text-ink tabular-nums">{formatCount(count)}</b>
      </Link>
    )}
    {label}
  </span>
)

function Rates({ figures }: { figures: Analytics | undefined }) {
  return (
    <dl className="mt-3 grid grid-cols-3 border-t pt-3 text-12 *:not-first:border-l *:not-first:pl-3">
      {rates.map(({ rate, label, icon: Icon, tone, submission }) => (
        <div key={rate} className="min-w-0">
          <dt className="flex items-center gap-1.5 text-quiet">
            <Icon aria-hidden strokeWidth={2} className={cn('size-3.5 shrink-0', toneInk[tone])} />
            {label}
          </dt>
          <dd className="mt-0.5 min-h-6 tabular-nums">
            {figures ? (
              <RateLink to={rate === 'pending' ? paths.kyc(undecidedKyc) : paths.members({ submission })}>
                <b className="text-16 font-semibold">{figures.kycApprovalRates[rate]}%</b>{' '}
                <span className="text-quiet">{formatCount(figures.kycCounts[rate])}</span>
              </RateLink>
            ) : (
              <Skeleton className="h-4 w-16" />
            )}
            <progress
              aria-label={label}
              max={100}
              value={figures?.kycApprovalRates[rate] ?? 0}
              className="share-progress keep-colour mt-1 block h-1.5 w-[calc(100%-0.75rem)]"
              style={{ color: `var(--${tone}-solid)` }}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const RateLink = ({
  to,
  children,
}: {
  to: ReturnType<typeof paths.members | typeof paths.kyc>
  children: ReactNode
}) => (
  <Link {...to} className={figureLook}>
    {children}
  </Link>
)
