import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { CircleCheck, CircleSlash, SkipForward, Stamp, X } from 'lucide-react'
import type { CSSProperties } from 'react'
import { bulkRoutes, readBulkDesign } from '#contract/bulk.ts'
import type { BulkJob } from '#contract/schemas/bulk.ts'
import { buildQuery, call } from '#web/api.ts'
import { selectionBarHeight } from '#web/bulk/selection.ts'
import { useStore } from '#web/lib/store.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { toneInk } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { ProgressBar, StopButton } from './job-header.tsx'
import { refetchJobs } from './queries.ts'

/** The newest own job that runs or has ended in this session and was not looked at, on any screen but its own page. */
export default function JobCard() {
  const address = useLocation({ select: ({ pathname }) => pathname })
  const { data } = useQuery(buildQuery(bulkRoutes.list, { query: { view: 'current', limit: '1' } }))
  const job = data?.jobs[0]
  const style = { '--selection-bar': `${useStore(selectionBarHeight)}px` } as CSSProperties
  if (!job || address === `/bulk/${job.id}`) return null
  const more = data.total - 1
  return (
    <section
      aria-label="Bulk job"
      style={style}
      className="fixed right-6 bottom-[calc(var(--selection-bar)+4.5rem)] z-10 w-94 animate-rise rounded-l border bg-raised p-3.5 text-13 text-ink shadow-dialog max-md:inset-x-3 max-md:bottom-[calc(var(--selection-bar)+0.75rem)] max-md:w-auto print:hidden"
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <output className="font-semibold tabular-nums">{describeJob(job)}</output>
          <p className="truncate text-12 text-quiet">
            {job.reason !== null && (
              <>
                “<bdi dir="auto">{job.reason}</bdi>” ·{' '}
              </>
            )}
            started {job.startedAt && <Instant value={job.startedAt} />}
          </p>
        </div>
        {job.state === 'running' ? <StopButton job={job} size="small" /> : <EndButtons id={job.id} />}
      </div>
      <ProgressBar job={job} />
      <Outcomes job={job} />
      {more > 0 && (
        <Link {...paths.bulk()} className="mt-2 inline-block text-12 link-reference">
          {formatCount(more)} more
        </Link>
      )}
    </section>
  )
}

/** “Cancelling 14 orders”, then “12 of 14 orders cancelled”. */
function describeJob({ action, state, total, counts }: BulkJob): string {
  const { noun, doing, done } = readBulkDesign(action)
  const rows = `${formatCount(total)} ${total === 1 ? noun[0] : noun[1]}`
  if (state === 'running') return doing(rows)
  return `${counts.done === total ? rows : `${formatCount(counts.done)} of ${rows}`} ${done}`
}

const outcomes = [
  { name: 'done', words: 'done', icon: CircleCheck, tone: 'success' },
  { name: 'requested', words: 'for approval', icon: Stamp, tone: 'warning' },
  { name: 'skipped', words: 'left out', icon: SkipForward, tone: 'warning' },
  { name: 'failed', words: 'failed', icon: CircleSlash, tone: 'danger' },
] as const

const Outcomes = ({ job: { counts, state } }: { job: BulkJob }) => (
  <ul aria-label="Outcome" className="mt-2 flex flex-wrap gap-x-3.5 gap-y-0.5 text-12 tabular-nums">
    {outcomes.map(
      ({ name, words, icon: Icon, tone }) =>
        counts[name] > 0 && (
          <li key={name} className="flex items-center gap-1">
            <Icon aria-hidden className={`size-3.5 ${toneInk[tone]}`} />
            {formatCount(counts[name])} {words}
          </li>
        ),
    )}
    {counts.waiting > 0 && (
      <li className="ml-auto">
        {formatCount(counts.waiting)} {state === 'running' ? 'to go' : 'not done'}
      </li>
    )}
  </ul>
)

/** What it leads to, and that it was seen. */
function EndButtons({ id }: { id: string }) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(bulkRoutes.see, { params: { id } }),
    // Where it fails, the card stays.
    onSettled: () => refetchJobs(client),
  })
  return (
    <div className="flex items-center gap-1">
      <Button asChild size="small">
        <Link {...paths.bulkJob(id)}>Result</Link>
      </Button>
      <IconButton tiny label="Close" disabled={isPending} onClick={() => mutate()}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}
