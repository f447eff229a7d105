import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { SecurityEvent } from '#contract/security.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import { eventColumns } from './event-columns.tsx'
import { eventsQuery } from './queries.ts'

const ResolveDialog = lazy(() => import('./resolve-dialog.tsx'))

const options = [
  { value: 'critical', label: 'Critical' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
]
const values = options.map(({ value }) => value)

/** What nobody has resolved yet (SPEC section 2). */
export function EventsTab() {
  const state = useListState(values)
  const events = useQuery(eventsQuery(state))
  const [resolving, setResolving] = useState<SecurityEvent | null>(null)
  const columns = useMemo(() => eventColumns({ onResolve: setResolving }), [])
  return (
    <>
      <DataTable
        label="Security events"
        columns={columns}
        rows={events.data?.events}
        rowId={(event) => event.id}
        query={events}
        state={state}
        statuses={options}
        statusFilter={{ label: 'Severity filter', all: 'All Severities' }}
        toolbar={<ExportButton name="securityEvents" query={{ severity: state.status, resolved: 'false' }} />}
      />
      <Lazily fallback={null} onFailure={() => setResolving(null)}>
        {resolving && <ResolveDialog event={resolving} onClose={() => setResolving(null)} />}
      </Lazily>
    </>
  )
}
