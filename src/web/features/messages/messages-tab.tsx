import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { use, useMemo, useState } from 'react'
import { messageRoutes, type MessageState } from '#contract/messages.ts'
import { messageList } from '#contract/lists.ts'
import type { Message } from '#contract/schemas/messages.ts'
import { formatCount } from '#web/lib/money.ts'
import { useCan } from '#web/use-can.ts'
import { ChoiceFilter } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useList } from '#web/table/use-list.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { endpointsQuery } from './endpoints.ts'
import { messageColumns } from './columns.tsx'
import { EndpointNote } from './endpoint-note.tsx'
import type { ResendRequest } from './resend-dialog.tsx'
import { PageCheckbox, SelectionContext, useSelection } from './selection.tsx'
import { useResend } from './use-resend.ts'

const ResendDialog = lazy(() => import('./resend-dialog.tsx'))

/** States of messages that are never resent: received ones, and those of deleted endpoints. */
const neverResent = new Set<string | undefined>([
  'applied',
  'recorded',
  'duplicate',
  'refused',
  'dropped',
] satisfies MessageState[])

/** Resends the selected messages, or all that the filter shows. */
function ResendMany({ list: { values, filter, query } }: { list: MessageListed }) {
  const selection = use(SelectionContext)
  const { isPending, isLocked } = useResend('many')
  const [asked, setAsked] = useState<ResendRequest | null>(null)
  if (!selection) return null
  const { rows, chosen } = selection
  const canResendAny = values.kind !== 'result' && !neverResent.has(values.state)
  const superseded = rows.filter(({ id, isSuperseded }) => isSuperseded && chosen.includes(id)).length
  const { search, sort: _order, ...rest } = filter
  const total = query.data?.total ?? 0
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
          Resend Selected ({chosen.length})
        </ChangeButton>
      ) : (
        isNarrowed &&
        canResendAny && (
          <ChangeButton
            loading={isPending}
            disabled={total === 0 || query.isPlaceholderData || isBlocked}
            onClick={askForAll}
          >
            <Send aria-hidden />
            Resend All {formatCount(total)}
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

const useMessages = () => useList(messageList, messageRoutes.list)
type MessageListed = ReturnType<typeof useMessages>

/** Every message to the platform, to the KYC provider and from it, and to operators. */
export default function MessagesTab() {
  const list = useMessages()
  const rows = list.query.data?.messages
  const [opened, setOpened] = useState<Message | null>(null)
  const columns = useMemo(() => messageColumns({ onOpen: setOpened }), [setOpened])
  const selection = useSelection(rows ?? [], list.state.key)
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
          list={list}
          empty={describeEmptyLog(list)}
          filters={<EndpointFilter />}
          toolbar={
            <>
              <ResendMany list={list} />
              <ExportButton name="messages" query={list.filter} />
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

function describeEmptyLog({ values, state: { search, isFiltered } }: MessageListed) {
  if (values.state === 'failed' && !search) return 'No message has failed for good'
  return search || isFiltered
    ? 'No data available'
    : 'No messages yet. Messages to the platform, to and from the KYC provider, and alerts to operators appear here.'
}
