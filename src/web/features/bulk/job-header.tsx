import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Download, Octagon } from 'lucide-react'
import { useState } from 'react'
import { bulkRoutes } from '#contract/bulk.ts'
import type { BulkJob } from '#contract/schemas/bulk.ts'
import { call, callRaw, describeError } from '#web/api.ts'
import { useChange } from '#web/changes/use-change.ts'
import { formatCount } from '#web/lib/money.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { toast } from '#web/ui/toast.ts'
import { useCan } from '#web/use-can.ts'
import { countTaken, describeStop, JobBadge } from './looks.tsx'
import { refetchJobs } from './queries.ts'

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
          <ResultButton id={job.id} />
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
function ProgressBar({ job }: { job: BulkJob }) {
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

function StopButton({ job: { id } }: { job: BulkJob }) {
  const stop = useChange({
    entity: null,
    send: () => call(bulkRoutes.stop, { params: { id } }),
    refetch: refetchJobs,
    success: 'Bulk job stopped',
    describe: () => 'What is done stays done.',
    failure: 'Failed to stop the bulk job',
  })
  return (
    <ChangeButton variant="danger" loading={stop.isPending} onClick={stop.apply}>
      <Octagon aria-hidden />
      Stop
    </ChangeButton>
  )
}

/** The query client reports an ended session. */
async function downloadResult(client: QueryClient, id: string) {
  const queryFn = async () => {
    saveFile(await callRaw(bulkRoutes.result, { params: { id } }))
    return null
  }
  await client.fetchQuery({ queryKey: ['bulk result', id], queryFn, staleTime: 0, gcTime: 0 })
}

/** Downloads the rows of a job with the outcome of each. */
function ResultButton({ id }: { id: string }) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const mayExport = useCan('exports.take')
  if (!mayExport) return null
  async function download() {
    setPending(true)
    try {
      await downloadResult(client, id)
    } catch (error) {
      const description = describeError(error, 'Failed to export the result')
      toast({ tone: 'destructive', title: 'Export Failed', description })
    } finally {
      setPending(false)
    }
  }
  return (
    <Button loading={isPending} onClick={() => void download()}>
      <Download aria-hidden />
      Export CSV
    </Button>
  )
}
