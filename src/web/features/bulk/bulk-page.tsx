import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useListState } from '#web/table/list-state.ts'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { jobColumns } from './job-columns.tsx'
import { BulkJobPage } from './job-page.tsx'
import { jobLooks } from './looks.tsx'
import { jobsQuery } from './queries.ts'

const states = (['running', 'done', 'stopped'] as const).map((value) => ({ value, label: jobLooks[value].label }))
const stateValues = states.map(({ value }) => value)
const views = ['own', 'unseen'] as const
const viewOptions = [
  { value: 'own', label: 'My jobs' },
  { value: 'unseen', label: 'Mine, not seen yet' },
]

/** Bulk jobs (product 5.18): the own ones, and those of others for who manages operators. */
function BulkJobsPage() {
  const state = useListState(stateValues, ['view'])
  const view = useChoice('view', views)
  const jobs = useQuery(jobsQuery(state, view))
  return (
    <DataTable
      label="Bulk jobs"
      entity="bulk job"
      columns={jobColumns}
      rows={jobs.data?.jobs}
      rowId={(job) => job.id}
      query={jobs}
      state={state}
      statuses={states}
      statusFilter={{ label: 'State filter', all: 'All States' }}
      origin="Jobs over many rows of a list appear here with their results."
      filters={<ChoiceFilter label="Whose jobs" parameter="view" all="All Jobs" options={viewOptions} width="w-44" />}
      toolbar={<RefreshButton refresh={async () => (await jobs.refetch()).isSuccess} done="The jobs are up to date." />}
    />
  )
}

/** Bulk jobs, or one of them (product 5.18). One file for both, so that their addresses weigh little in the first load. */
export default function BulkPage() {
  const { id } = useParams({ strict: false })
  return id === undefined ? <BulkJobsPage /> : <BulkJobPage id={id} />
}
