import { Octagon } from 'lucide-react'
import { bulkRoutes } from '#contract/bulk.ts'
import type { BulkJob } from '#contract/schemas/bulk.ts'
import { call, callRaw } from '#web/api.ts'
import { useChange } from '#web/changes/use-change.ts'
import { formatCount } from '#web/lib/money.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { DownloadButton } from '#web/table/export-button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { countTaken, describeStop, JobBadge } from './looks.tsx'
import { refetchJobs } from './queries.ts'

const downloadResult = async ({ id }: BulkJob) => saveFile(await callRaw(bulkRoutes.result, { params: { id } }))

interface JobHeaderProps {
  job: BulkJob
  refresh: () => Promise<boolean>
}

/** How a job stands, what was entered for it, and its buttons. */
export function JobHeader({ job, refresh }: JobHeaderProps) {
  const stopped = describeStop(job)
  return (
    <>
      <div className="flex min-w-0 items-start gap-4 max-md:flex-wrap max-md:gap-3">
        <div className="min-w-0 flex-1 max-md:basis-full">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
            <p className="text-16 font-semibold tabular-nums">
              {formatCount(countTaken(job))} of {formatCount(job.total)}
            </p>
            <JobBadge state={job.state} />
          </div>
          <p className="mt-0.5 text-13 wrap-anywhere text-quiet">
            Started by <bdi>{job.createdBy}</bdi>
            {job.startedAt && (
              <>
                {' '}
                · <Instant value={job.startedAt} />
              </>
            )}
            {job.reason !== null && (
              <>
                {' '}
                · “<bdi dir="auto">{job.reason}</bdi>”
              </>
            )}
          </p>
        </div>
        <div className="flex flex-wrap justify-end gap-2 max-md:justify-start">
          <RefreshButton refresh={refresh} done="The job is up to date." />
          <DownloadButton label="Export CSV" download={() => downloadResult(job)} />
          {job.state === 'running' && <StopButton job={job} />}
        </div>
      </div>
      <ProgressBar job={job} />
      {stopped !== null && (
        <Note tone="warning" role="note" className="mt-3">
          {stopped}
        </Note>
      )}
    </>
  )
}

const parts = [
  { name: 'done', ground: 'bg-success-solid' },
  { name: 'requested', ground: 'bg-warning-solid' },
  { name: 'failed', ground: 'bg-danger-solid' },
  { name: 'skipped', ground: 'bg-border-control' },
] as const

/** Each part as wide as its share. What is not done is the empty rest. */
export function ProgressBar({ job }: { job: BulkJob }) {
  const { total, counts } = job
  return (
    <>
      <progress className="sr-only" aria-label="Rows that have had their turn" value={countTaken(job)} max={total} />
      <div aria-hidden className="mt-3 flex h-1.5 overflow-hidden rounded-full bg-neutral-soft forced-colors:border">
        {parts.map(({ name, ground }) => (
          <span
            key={name}
            className={`${ground} transition-[width] motion-reduce:transition-none forced-colors:bg-[Highlight]`}
            style={{ width: `${(counts[name] / total) * 100}%` }}
          />
        ))}
      </div>
    </>
  )
}

export function StopButton({ job: { id }, size = 'default' }: { job: BulkJob; size?: 'small' | 'default' }) {
  const stop = useChange({
    entity: null,
    send: () => call(bulkRoutes.stop, { params: { id } }),
    refetch: refetchJobs,
    success: 'Bulk job stopped',
    describe: () => 'What is done stays done.',
    failure: 'Failed to stop the bulk job',
  })
  return (
    <ChangeButton variant="danger" size={size} loading={stop.isPending} onClick={stop.apply}>
      <Octagon aria-hidden />
      Stop
    </ChangeButton>
  )
}
