import { Trash2 } from 'lucide-react'
import { endpointRoutes } from '#contract/endpoints.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { call } from '#web/api.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { formatCount } from '#web/lib/money.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { fetchEndpoint, refetchEndpoints } from './endpoints.ts'

const countOpen = ({ waiting, failed }: Endpoint) => waiting + failed
const events = (count: number) => (count === 1 ? '1 event' : `${formatCount(count)} events`)

/** Deletes an endpoint, and says what is dropped with it. */
export default function DeleteDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const change = useChange({
    entity: endpoint,
    // What came meanwhile was not agreed to: without anything to drop the server refuses to drop.
    send: ({ id, version: ifMatch, ...rest }) =>
      call(endpointRoutes.remove, {
        params: { id },
        query: countOpen({ id, version: ifMatch, ...rest }) > 0 ? { dropOpen: 'true' } : {},
        ifMatch,
      }),
    fetchFresh: fetchEndpoint,
    refetch: refetchEndpoints,
    success: 'Endpoint deleted',
    describe: ({ dropped }) => (dropped === 0 ? endpoint.name : `${endpoint.name}: ${events(dropped)} dropped`),
    failure: 'Failed to delete the endpoint',
    onDone: onClose,
  })
  const open = countOpen(change.current)
  return (
    <FormDialog
      role="alertdialog"
      title={`Delete ${endpoint.name}?`}
      description="It gets no more events. The delivery log still names it."
      action={{ label: open > 0 ? `Delete and drop ${events(open)}` : 'Delete', icon: Trash2, tone: 'danger' }}
      {...change.form}
      onClose={onClose}
    >
      {open > 0 && (
        <Note tone="warning" role="note">
          {events(open)} {open === 1 ? 'waits or was' : 'wait or were'} given up here, and will never arrive at it.
        </Note>
      )}
      <ConflictHelp conflict={change.conflict}>
        {open > 0 ? `Now ${events(open)} would be dropped.` : 'Nothing waits for it now.'}
      </ConflictHelp>
    </FormDialog>
  )
}
