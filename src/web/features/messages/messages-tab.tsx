import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { messageRoutes } from '#contract/messages.ts'
import { messageList } from '#contract/lists.ts'
import type { Message } from '#contract/schemas/messages.ts'
import { BulkSelection, defineBulkList, useCanSelect } from '#web/bulk/bulk-selection.tsx'
import { ChoiceFilter } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useList } from '#web/table/use-list.ts'
import { endpointsQuery } from './endpoints.ts'
import { messageColumns } from './columns.tsx'

const bulk = defineBulkList<Message>({
  actions: ['resend_messages'],
  nameOf: ({ type, entityId }) => `${type} of ${entityId}`,
  exportName: 'messages',
})

const useMessages = () => useList(messageList, messageRoutes.list)
type MessageListed = ReturnType<typeof useMessages>

/** Every message to the platform, to the KYC provider and from it, and to operators. */
export default function MessagesTab() {
  const list = useMessages()
  const rows = list.query.data?.messages
  const canSelect = useCanSelect(bulk)
  const columns = useMemo(() => [...(canSelect ? [bulk.column] : []), ...messageColumns], [canSelect])
  return (
    <BulkSelection {...{ bulk, list, rows }}>
      <DataTable
        label="Delivery log"
        entity="message"
        columns={columns}
        rows={rows}
        rowId={(message) => message.id}
        peek={({ id }) => ({ kind: 'message', id })}
        list={list}
        empty={describeEmptyLog(list)}
        filters={<EndpointFilter />}
        toolbar={<ExportButton name="messages" query={list.filter} />}
      />
    </BulkSelection>
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
