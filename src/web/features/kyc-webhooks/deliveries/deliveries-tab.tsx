import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { deliveryKinds, shownStates } from '#contract/deliveries.ts'
import { createdSorts } from '#contract/sorts.ts'
import type { Delivery } from '#contract/schemas/deliveries.ts'
import { useCan } from '#web/use-can.ts'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { dayParameters, DayRangeFilter, useDays } from '#web/table/day-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { useSort } from '#web/table/use-sort.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { endpointsQuery } from './endpoint-queries.ts'
import { deliveryColumns } from './columns.tsx'
import { EndpointNote } from './endpoint-note.tsx'
import { kindWords, stateWords } from './parts.tsx'
import { deliveriesQuery, buildFilter, type DeliveryFilter } from './queries.ts'
import { ResendMany } from './resend-many.tsx'
import { SelectionContext, useSelection } from './selection.tsx'

const DetailsDialog = lazy(() => import('./details-dialog.tsx'))

const otherFilters = ['kind', 'endpoint', ...dayParameters]
const states = shownStates.map((value) => ({ value, label: stateWords[value] }))
const kinds = deliveryKinds.map((value) => ({ value, label: `${kindWords[value].plural} ${kindWords[value].way}` }))

/** Every message to the platform, to the KYC provider and from it, and to operators. */
export default function DeliveriesTab() {
  const state = useListState(shownStates, otherFilters)
  const kind = useChoice('kind', deliveryKinds) ?? ''
  const { endpoint = '' }: { endpoint?: unknown } = useSearch({ strict: false })
  const sort = useSort(createdSorts)
  const filter = { search: state.search, status: state.status, kind, endpoint: String(endpoint), ...useDays(), sort }
  const deliveries = useQuery(deliveriesQuery(filter, state.page))
  const rows = deliveries.data?.deliveries
  const [opened, setOpened] = useState<Delivery | null>(null)
  const columns = useMemo(() => deliveryColumns({ onOpen: setOpened }), [setOpened])
  const selection = useSelection(rows ?? [], JSON.stringify([filter, state.page]))
  const maySend = useCan('messages.send')
  return (
    <SelectionContext value={maySend ? selection : null}>
      <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] page-scrolls:block print:block">
        <div className="gutter max-w-table pt-3">
          <EndpointNote />
        </div>
        <DataTable
          label="Delivery log"
          entity="message"
          columns={columns}
          rows={rows}
          rowId={(delivery) => delivery.id}
          query={deliveries}
          state={state}
          search={{ label: 'Search by whole id', placeholder: 'Member, order, token or message id...' }}
          statuses={states}
          sorts={createdSorts}
          statusFilter={{ label: 'State filter', all: 'All States' }}
          empty={describeEmptyLog(filter)}
          filters={
            <>
              <ChoiceFilter label="Direction filter" parameter="kind" all="All Messages" options={kinds} width="w-64" />
              <EndpointFilter />
              <DayRangeFilter />
            </>
          }
          toolbar={
            <>
              <ResendMany
                filter={filter}
                total={deliveries.data?.total ?? 0}
                isOutdated={deliveries.isPlaceholderData}
              />
              <ExportButton name="deliveries" query={buildFilter(filter)} />
            </>
          }
        />
      </div>
      <LazyBoundary fallback={null} onFailure={() => setOpened(null)}>
        {opened && <DetailsDialog row={opened} onClose={() => setOpened(null)} />}
      </LazyBoundary>
    </SelectionContext>
  )
}

/** Shown where there is a choice. */
function EndpointFilter() {
  const endpoints = useQuery(endpointsQuery()).data?.endpoints ?? []
  if (endpoints.length < 2) return null
  const options = endpoints.map(({ id, name }) => ({ value: id, label: name }))
  return <ChoiceFilter label="Endpoint filter" parameter="endpoint" all="All Endpoints" options={options} />
}

function describeEmptyLog({ search, status, kind, endpoint }: DeliveryFilter) {
  if (status === 'failed' && !search) return 'No message has failed for good'
  return search || status || kind || endpoint
    ? 'No data available'
    : 'No messages yet. Messages to the platform, to and from the KYC provider, and alerts to operators appear here.'
}
