import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react'
import type { Analytics } from '#contract/schemas/analytics.ts'
import { describeError } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths, undecidedKyc } from '#web/paths.ts'
import { toneInk, type Tone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { figuresQuery } from './queries.ts'

type Rate = keyof Analytics['kycApprovalRates']
const rates: { rate: Rate; label: string; icon: LucideIcon; tone: Tone; fill: string }[] = [
  { rate: 'approved', label: 'Approved', icon: CircleCheck, tone: 'success', fill: 'bg-success-solid' },
  { rate: 'pending', label: 'Pending', icon: Clock, tone: 'warning', fill: 'bg-warning-solid' },
  { rate: 'rejected', label: 'Rejected', icon: CircleX, tone: 'danger', fill: 'bg-danger-solid' },
]

/** Shares of the members who ever submitted (product 5.2). */
export function KycRates({ className }: { className: string }) {
  const { data, isError, error, refetch, isFetching } = useQuery(figuresQuery())
  const details = (
    <Button asChild size="small">
      <Link {...paths.kyc(undecidedKyc)}>View Details</Link>
    </Button>
  )
  return (
    <Panel title="KYC Approval Rates" end={details} className={className}>
      {!data && isError ? (
        <div className="grid flex-1 content-center">
          <ErrorState
            title="The approval rates could not be loaded"
            message={describeError(error)}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        </div>
      ) : (
        <Meters figures={data} />
      )}
    </Panel>
  )
}

function Meters({ figures }: { figures: Analytics | undefined }) {
  const submitted = figures && Object.values(figures.kycCounts).reduce((sum, count) => sum + count, 0)
  return (
    <div className="flex flex-1 flex-col px-4 pt-2 pb-4">
      <ul className="flex flex-1 flex-col justify-between gap-5 pt-1 pb-6">
        {rates.map(({ rate, label, icon: Icon, tone, fill }) => {
          const percent = figures?.kycApprovalRates[rate]
          return (
            <li key={rate}>
              <div className="mb-2 flex items-center gap-1.5">
                <Icon aria-hidden strokeWidth={2} className={cn('size-3.5 shrink-0', toneInk[tone])} />
                {label}
                {figures ? (
                  <>
                    <span className="text-12 text-quiet tabular-nums">{formatCount(figures.kycCounts[rate])}</span>
                    <b className="ml-auto tabular-nums">{percent}%</b>
                  </>
                ) : (
                  <Skeleton className="ml-auto h-4 w-12" />
                )}
              </div>
              <meter aria-label={label} min={0} max={100} value={Number(percent ?? 0)} className="sr-only">
                {percent ?? 0} %
              </meter>
              <div aria-hidden className="keep-colour h-1.5 overflow-hidden rounded-full bg-neutral-soft">
                <div
                  className={cn('h-full rounded-full transition-[width] duration-180', fill)}
                  style={{ width: `${percent ?? 0}%` }}
                />
              </div>
            </li>
          )
        })}
      </ul>
      <p className="mt-2 min-h-8 border-t pt-3.5 text-12 text-quiet">
        {submitted === undefined ? (
          <Skeleton className="h-4 w-44" />
        ) : submitted === 0 ? (
          'Nobody has submitted yet'
        ) : (
          `Of ${formatCount(submitted)} ${submitted === 1 ? 'member' : 'members'} who ever submitted`
        )}
      </p>
    </div>
  )
}
