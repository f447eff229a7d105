import { useQuery } from '@tanstack/react-query'
import { FileX } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { bulkItemStateLabels, bulkItemStates, bulkRoutes, readBulkDesign } from '#contract/bulk.ts'
import { bulkItemList } from '#contract/lists.ts'
import type { BulkJob } from '#contract/schemas/bulk.ts'
import { call } from '#web/api.ts'
import { usePageTitle } from '#web/lib/page.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { ChoiceFilter } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useList } from '#web/table/use-list.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { itemColumns } from './item-columns.tsx'
import { JobHeader } from './job-header.tsx'
import { isUnknownJob, jobQuery } from './queries.ts'

const parent = { label: 'Bulk Jobs', to: '/bulk' }

/** One bulk job (product 5.18): its progress, and the outcome of each of its rows. */
export function BulkJobPage({ id }: { id: string }) {
  const query = useQuery(jobQuery(id))
  const { data, error } = query
  if (!data) {
    return (
      <div className="gutter max-w-table py-6 max-md:py-4">
        {!error && <JobSkeleton />}
        {error && isUnknownJob(error) && <UnknownJob />}
        {error && !isUnknownJob(error) && <LoadFailure size="page" what="This bulk job" query={query} />}
      </div>
    )
  }
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(24rem,1fr)] page-scrolls:block print:block">
      <div className="gutter max-w-table pt-4">
        <RefreshFailure what="This bulk job" query={query} className="mb-4" />
        <JobTop key={id} job={data.job} refresh={async () => (await query.refetch()).isSuccess} />
      </div>
      <Items job={data.job} />
    </div>
  )
}

function JobTop({ job, refresh }: { job: BulkJob; refresh: () => Promise<boolean> }) {
  usePageTitle({ title: readBulkDesign(job.action).label, parent })
  useSeen(job)
  return <JobHeader job={job} refresh={refresh} />
}

/** Who opens an own job that has ended, or has it open when it ends, has seen it: it is no longer a notice. */
function useSeen({ id, isOwn, isSeen, endedAt }: BulkJob) {
  const mustTell = isOwn && !isSeen && endedAt !== null
  useEffect(() => {
    if (!mustTell) return
    // Where it fails, the notice stays and the next look says it again.
    void call(bulkRoutes.see, { params: { id }, isPassive: true }).catch(() => {})
  }, [id, mustTell])
}

/** The rows of a job, each state with its count. */
function Items({ job: { id, action, counts } }: { job: BulkJob }) {
  const states = bulkItemStates
    .filter((state) => counts[state] > 0)
    .map((value) => ({ value, label: `${bulkItemStateLabels[value]} (${counts[value].toLocaleString('en-US')})` }))
  const list = useList(bulkItemList, bulkRoutes.items, { params: { id } })
  const columns = useMemo(() => itemColumns(action), [action])
  return (
    <DataTable
      label="Rows of the job"
      entity="row"
      columns={columns}
      rows={list.query.data?.items}
      rowId={(item) => item.id}
      list={list}
      filters={<ChoiceFilter label="Result filter" parameter="status" all="All Results" options={states} />}
    />
  )
}

function UnknownJob() {
  usePageTitle({ title: 'Bulk Job Not Found', parent })
  return (
    <>
      <EmptyState icon={FileX} title="Bulk Job Not Found">
        There is no such job, or it is another operator’s.
      </EmptyState>
      <div className="text-center">
        <Button asChild>
          <Link {...paths.bulk()}>Back to Bulk Jobs</Link>
        </Button>
      </div>
    </>
  )
}

const JobSkeleton = () => (
  <div>
    <output className="sr-only">Loading...</output>
    <div aria-hidden className="flex items-start justify-between gap-4 max-md:flex-wrap">
      <Skeleton className="h-11 w-80 max-w-full" />
      <Skeleton className="h-(--control) w-52 max-w-full" />
    </div>
  </div>
)
