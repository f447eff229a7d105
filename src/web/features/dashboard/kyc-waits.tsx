import { useQuery } from '@tanstack/react-query'
import { formatWait } from '#contract/kyc-reviews.ts'
import type { KycWaits as Waits } from '#contract/schemas/analytics.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths, waitingKyc } from '#web/paths.ts'
import { describeWait } from '#web/reviews/describe-wait.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { kycWaitsQuery } from './queries.ts'

const look = 'hit-area link-subject'

/** How many hours as `48 h`, or `2 days` where they are whole ones and more than two. */
const formatTarget = (hours: number) => (hours > 48 && hours % 24 === 0 ? `${hours / 24} days` : `${hours} h`)

/** A band in few words: `< 1 d`, `1–2 d`, `5 d +`. */
function nameBand({ from, to }: Waits['bands'][number]): string {
  if (from === 0) return `< ${to! / 24} d`
  return to === null ? `${from / 24} d +` : `${from / 24}–${to / 24} d`
}

/** How long the cases have waited that wait for a decision, against the target (product 5.1). */
export function KycWaits() {
  const query = useQuery(kycWaitsQuery())
  const { data, isError } = query
  return (
    <div className="mt-3 min-h-17 border-t pt-3 text-12">
      {!data && isError ? (
        <LoadFailure size="row" what="The waits" query={query} className="min-h-13" />
      ) : data ? (
        <Bands waits={data} />
      ) : (
        <Skeleton className="h-13 w-full" />
      )}
    </div>
  )
}

function Bands({ waits: { bands, targetHours, late } }: { waits: Waits }) {
  const all = bands.reduce((sum, { count }) => sum + count, 0)
  const target = formatTarget(targetHours)
  return (
    <>
      <div className="flex items-baseline justify-between gap-3 text-quiet">
        <h3 className="text-12 font-regular">Waiting for review</h3>
        <span className="tabular-nums">
          Target {target}:{' '}
          {late > 0 ? (
            <Link
              {...paths.kyc({ ...waitingKyc, waiting: formatWait({ from: targetHours, to: null }) })}
              className={cn(look, 'font-medium text-warning-ink')}
            >
              {formatCount(late)} late
            </Link>
          ) : (
            <span className="text-ink">{all === 0 ? 'nobody waits' : 'none late'}</span>
          )}
        </span>
      </div>
      <ol className="mt-1.5 grid grid-cols-4 gap-0.5">
        {bands.map((band) => (
          <li key={band.from} className="min-w-0">
            <div
              aria-hidden
              className={cn(
                'keep-colour h-1.5 rounded-[2px]',
                band.count === 0 ? 'bg-neutral-soft' : band.from >= targetHours ? 'bg-warning-solid' : 'bg-accent',
              )}
            />
            <Link
              {...paths.kyc({ ...waitingKyc, waiting: formatWait(band) })}
              className={cn(look, 'mt-1 block truncate text-quiet tabular-nums')}
            >
              <b className="font-medium text-ink">{formatCount(band.count)}</b>{' '}
              <span aria-hidden>{nameBand(band)}</span>
              <span className="sr-only">{describeWait(band)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </>
  )
}
