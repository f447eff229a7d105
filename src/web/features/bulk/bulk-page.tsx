import { useParams } from '@tanstack/react-router'
import { bulkRoutes, readBulkDesign } from '#contract/bulk.ts'
import { bulkJobList } from '#contract/lists.ts'
import type { BulkJob } from '#contract/schemas/bulk.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useList } from '#web/table/use-list.ts'
import { Instant } from '#web/ui/instant.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { BulkJobPage } from './job-page.tsx'
import { countTaken, JobBadge } from './looks.tsx'

const column = createColumns<BulkJob>()

/** "37 of 40 done, 3 skipped". */
function Progress({ job }: { job: BulkJob }) {
  const { counts, total, state } = job
  const rest = [
    counts.requested > 0 && `${formatCount(counts.requested)} for approval`,
    counts.skipped > 0 && `${formatCount(counts.skipped)} skipped`,
    counts.failed > 0 && `${formatCount(counts.failed)} failed`,
    state === 'stopped' && counts.waiting > 0 && `${formatCount(counts.waiting)} not done`,
  ].filter(Boolean)
  return (
    <span className="tabular-nums">
      {formatCount(state === 'running' ? countTaken(job) : counts.done)} of {formatCount(total)}
      {rest.length > 0 && <span className="text-quiet"> · {rest.join(', ')}</span>}
    </span>
  )
}

/** The columns of the list of bulk jobs. */
const jobColumns = [
  column.accessor('action', {
    header: 'Job',
    cell: ({ row: { original } }) => (
      <Link
        {...paths.bulkJob(original.id)}
        data-row-link
        className="hit-line block w-fit max-w-full truncate rounded-s outline-offset-0! font-medium link-subject"
      >
        {readBulkDesign(original.action).label}
      </Link>
    ),
    meta: { min: '160px', narrow: 'full' },
  }),
  column.accessor('state', {
    header: 'State',
    cell: ({ getValue }) => <JobBadge state={getValue()} />,
    meta: { width: '104px', narrow: 'labelled' },
  }),
  column.display({
    id: 'progress',
    header: 'Done',
    cell: ({ row: { original } }) => <Progress job={original} />,
    meta: { min: '200px', narrow: 'labelled' },
  }),
  column.accessor('createdBy', {
    header: 'Started by',
    cell: ({ row: { original } }) => (
      <span className="flex min-w-0 gap-1">
        <bdi className="min-w-0 truncate">{original.createdBy}</bdi>
        {original.isOwn && <span className="shrink-0 text-quiet">(you)</span>}
      </span>
    ),
    meta: { width: '128px', cut: true, hideBelow: 680, narrow: 'labelled' },
  }),
  column.accessor('startedAt', {
    header: 'Started',
    cell: ({ getValue }) => {
      const at = getValue<string | null>()
      return at === null ? <MissingValue>Not yet</MissingValue> : <Instant value={at} className="text-quiet" />
    },
    meta: { width: instantWidth(960), hideBelow: 740, narrow: 'labelled' },
  }),
]

/** Bulk jobs (product 5.18): the own ones, and those of others for who manages operators. */
function BulkJobsPage() {
  const list = useList(bulkJobList, bulkRoutes.list)
  return (
    <DataTable
      label="Bulk jobs"
      entity="bulk job"
      columns={jobColumns}
      rows={list.query.data?.jobs}
      rowId={(job) => job.id}
      list={list}
      origin="Jobs over many rows of a list appear here with their results."
      toolbar={<RefreshButton refresh={list.refresh} done="The jobs are up to date." />}
    />
  )
}

/** Bulk jobs, or one of them (product 5.18). One file for both, so that the first load has little of them. */
export default function BulkPage() {
  const { id } = useParams({ strict: false })
  return id === undefined ? <BulkJobsPage /> : <BulkJobPage id={id} />
}
