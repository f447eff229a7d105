import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { use, useMemo, useState } from 'react'
import { messageKinds, type MessageState, shownStates } from '#contract/messages.ts'
import { createdSorts } from '#contract/sorts.ts'
import type { Message } from '#contract/schemas/messages.ts'
import { formatCount } from '#web/lib/money.ts'
import { useCan } from '#web/use-can.ts'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { dayParameters, DayRangeFilter, useDays } from '#web/table/day-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { useSort } from '#web/table/use-sort.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { endpointsQuery } from './endpoints.ts'
import { messageColumns } from './columns.tsx'
import { EndpointNote } from './endpoint-note.tsx'
import { kindWords, stateWords } from './parts.tsx'
import { buildFilter, messagesQuery, type MessageFilter } from './queries.ts'
import type { ResendRequest } from './resend-dialog.tsx'
import { PageCheckbox, SelectionContext, useSelection } from './selection.tsx'
import { useResend } from './use-resend.ts'

const ResendDialog = lazy(() => import('./resend-dialog.tsx'))

/** States of messages that are never resent: received ones, and those of deleted endpoints. */
const neverResent = new Set<string>(['applied', 'recorded', 'duplicate', 'refused', 'dropped'] satisfies MessageState[])

interface ResendManyProps {
  filter: MessageFilter
  /** How many messages the filter shows. */
  total: number
  /** Whether the total is still that of another filter. */
  isOutdated: boolean
}

/** Resends the selected messages, or all that the filter shows. */
function ResendMany({ filter, total, isOutdated }: ResendManyProps) {
  const selection = use(SelectionContext)
  const { isPending, isLocked } = useResend('many')
  const [asked, setAsked] = useState<ResendRequest | null>(null)
  if (!selection) return null
  const { rows, chosen } = selection
  const canResendAny = filter.kind !== 'result' && !neverResent.has(filter.status)
  const superseded = rows.filter(({ id, isSuperseded }) => isSuperseded && chosen.includes(id)).length
  const { search, ...rest } = buildFilter({ ...filter, sort: undefined })
  // Without a filter there is no button, so that nobody resends the whole history.
  const isNarrowed = [search, ...Object.values(rest)].some(Boolean)
  const isBlocked = isLocked && !isPending
  const askForChosen = () => setAsked({ isAll: false, count: chosen.length, superseded, body: { ids: chosen } })
  const askForAll = () =>
    setAsked({ isAll: true, count: total, superseded: null, body: { filter: { ...rest, ...(search && { search }) } } })
  return (
    <>
      {canResendAny && <PageCheckbox text="Select page" className="mr-1 md:hidden" />}
      {chosen.length > 0 ? (
        <ChangeButton variant="primary" loading={isPending} disabled={isBlocked} onClick={askForChosen}>
          <Send aria-hidden />
          Resend selected ({chosen.length})
        </ChangeButton>
      ) : (
        isNarrowed &&
        canResendAny && (
          <ChangeButton loading={isPending} disabled={total === 0 || isOutdated || isBlocked} onClick={askForAll}>
            <Send aria-hidden />
            Resend all {formatCount(total)}
          </ChangeButton>
        )
      )}
      <LazyBoundary fallback={null} onFailure={() => setAsked(null)}>
        {asked && (
          <ResendDialog
            asked={asked}
            onClose={() => setAsked(null)}
            onTaken={() => {
              setAsked(null)
              selection.set(chosen, false)
            }}
          />
        )}
      </LazyBoundary>
    </>
  )
}

const DetailsDialog = lazy(() => import('./details-dialog.tsx'))

const otherFilters = ['kind', 'endpoint', ...dayParameters]
const states = shownStates.map((value) => ({ value, label: stateWords[value] }))
const kinds = messageKinds.map((value) => ({ value, label: `${kindWords[value].plural} ${kindWords[value].way}` }))

/** Every message to the platform, to the KYC provider and from it, and to operators. */
export default function MessagesTab() {
  const state = useListState(shownStates, otherFilters)
  const kind = useChoice('kind', messageKinds) ?? ''
  const { endpoint = '' }: { endpoint?: unknown } = useSearch({ strict: false })
  const sort = useSort(createdSorts)
  const filter = { search: state.search, status: state.status, kind, endpoint: String(endpoint), ...useDays(), sort }
  const messages = useQuery(messagesQuery(filter, state.page))
  const rows = messages.data?.messages
  const [opened, setOpened] = useState<Message | null>(null)
  const columns = useMemo(() => messageColumns({ onOpen: setOpened }), [setOpened])
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
          rowId={(message) => message.id}
          query={messages}
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
              <ResendMany filter={filter} total={messages.data?.total ?? 0} isOutdated={messages.isPlaceholderData} />
              <ExportButton name="messages" query={buildFilter(filter)} />
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

function describeEmptyLog({ search, status, kind, endpoint }: MessageFilter) {
  if (status === 'failed' && !search) return 'No message has failed for good'
  return search || status || kind || endpoint
    ? 'No data available'
    : 'No messages yet. Messages to the platform, to and from the KYC provider, and alerts to operators appear here.'
}
