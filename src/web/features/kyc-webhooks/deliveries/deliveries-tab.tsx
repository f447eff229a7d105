import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useMemo, useState } from 'react'
import { deliveryKinds, shownStates, type DeliveryState } from '#contract/deliveries.ts'
import type { Delivery } from '#contract/schemas/deliveries.ts'
import { formatCount } from '#web/lib/money.ts'
import { useCan } from '#web/use-can.ts'
import { ChoiceFilter } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { Button } from '#web/ui/button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Select } from '#web/ui/select.tsx'
import { endpointsQuery } from './endpoint-queries.ts'
import { deliveryColumns } from './columns.tsx'
import { EndpointNote } from './endpoint-note.tsx'
import { kindWords, stateWords } from './parts.tsx'
import { deliveriesQuery, buildFilter } from './queries.ts'
import type { ResendRequest } from './resend-dialog.tsx'
import { PageCheckbox, SelectionContext, useSelection } from './selection.tsx'
import { useResend } from './use-resend.ts'

const DetailsDialog = lazy(() => import('./details-dialog.tsx'))
const ResendDialog = lazy(() => import('./resend-dialog.tsx'))

const otherFilters = ['kind', 'endpoint']
/** States of incoming messages, which are never resent. */
const inbound = new Set<string>(['applied', 'recorded', 'duplicate', 'refused'] satisfies DeliveryState[])
const states = shownStates.map((value) => ({ value, label: stateWords[value] }))
const kinds = deliveryKinds.map((value) => ({ value, label: `${kindWords[value].plural} ${kindWords[value].way}` }))

/** Every message to the platform, to the KYC provider and from it. */
export default function DeliveriesTab() {
  const navigate = useNavigate()
  const state = useListState(shownStates, otherFilters)
  const { kind: given, endpoint = '' }: { kind?: unknown; endpoint?: unknown } = useSearch({ strict: false })
  const kind = deliveryKinds.find((known) => known === given) ?? ''
  const filter = { search: state.search, status: state.status, kind, endpoint: String(endpoint) }
  const endpoints = useQuery(endpointsQuery()).data?.endpoints
  const deliveries = useQuery(deliveriesQuery(filter, state.page))
  const rows = deliveries.data?.deliveries
  const [opened, setOpened] = useState<Delivery | null>(null)
  const [asked, setAsked] = useState<ResendRequest | null>(null)
  const columns = useMemo(() => deliveryColumns({ onOpen: setOpened }), [setOpened])

  const selection = useSelection(rows ?? [], JSON.stringify([filter, state.page]))
  const { isPending, isLocked } = useResend('many')
  const maySend = useCan('messages.send')
  const isOutbound = kind !== 'result' && !inbound.has(state.status)
  const count = selection.chosen.length
  const superseded = (rows ?? []).filter(({ id, isSuperseded }) => isSuperseded && selection.chosen.includes(id)).length
  const total = deliveries.data?.total ?? 0
  const { search, ...rest } = buildFilter(filter)
  // Without a filter there is no button, so that nobody resends the whole history.
  const isNarrowed = [search, ...Object.values(rest)].some(Boolean)
  const ask = (isAll: boolean) =>
    setAsked(
      isAll
        ? { isAll, count: total, superseded: null, body: { filter: { ...rest, ...(search && { search }) } } }
        : { isAll, count, superseded, body: { ids: selection.chosen } },
    )

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
          statusFilter={{ label: 'State filter', all: 'All States' }}
          empty={emptyText(filter)}
          filters={
            <>
              <Select
                aria-label="Direction filter"
                options={[{ value: '', label: 'All Messages' }, ...kinds]}
                value={kind}
                onChange={({ target }) =>
                  void navigate({
                    to: '.',
                    search: (now: Record<string, unknown>) => ({
                      ...now,
                      kind: target.value || undefined,
                      page: undefined,
                    }),
                  })
                }
                className="w-64 max-md:min-w-32 max-md:flex-1"
              />
              {endpoints && endpoints.length > 1 && (
                <ChoiceFilter
                  label="Endpoint filter"
                  parameter="endpoint"
                  all="All Endpoints"
                  options={endpoints.map(({ id, name }) => ({ value: id, label: name }))}
                />
              )}
            </>
          }
          toolbar={
            <>
              {isOutbound && <PageCheckbox text="Select page" className="mr-1 md:hidden" />}
              {count > 0 ? (
                <Button
                  variant="primary"
                  loading={isPending}
                  disabled={isLocked && !isPending}
                  onClick={() => ask(false)}
                >
                  <Send aria-hidden />
                  Resend selected ({count})
                </Button>
              ) : (
                maySend &&
                isNarrowed &&
                isOutbound && (
                  <Button
                    loading={isPending}
                    disabled={total === 0 || deliveries.isPlaceholderData || (isLocked && !isPending)}
                    onClick={() => ask(true)}
                  >
                    <Send aria-hidden />
                    Resend all {formatCount(total)}
                  </Button>
                )
              )}
              <ExportButton name="deliveries" query={buildFilter(filter)} />
            </>
          }
        />
      </div>
      <LazyBoundary fallback={null} onFailure={() => setOpened(null)}>
        {opened && <DetailsDialog row={opened} onClose={() => setOpened(null)} />}
      </LazyBoundary>
      <LazyBoundary fallback={null} onFailure={() => setAsked(null)}>
        {asked && (
          <ResendDialog
            asked={asked}
            onClose={() => setAsked(null)}
            onTaken={() => {
              setAsked(null)
              selection.set(selection.chosen, false)
            }}
          />
        )}
      </LazyBoundary>
    </SelectionContext>
  )
}

function emptyText({ search, status, kind, endpoint }: Parameters<typeof buildFilter>[0]) {
  if (status === 'failed' && !search) return 'No message has failed for good'
  return search || status || kind || endpoint
    ? 'No data available'
    : 'No messages yet. Messages to the platform and to and from the KYC provider appear here.'
}
