import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useMemo, useState, type Dispatch, type SetStateAction } from 'react'
import { mostEndpoints } from '#contract/endpoints.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { StaticTable } from '#web/table/static-table.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { RefreshFailure } from '#web/refresh-failure.tsx'
import { type DialogName, endpointColumns } from './endpoint-columns.tsx'
import { endpointsQuery } from './endpoints.ts'

const EndpointDialog = lazy(() => import('./endpoint-dialog.tsx'))
const SecretDialog = lazy(() => import('./secret-dialog.tsx'))
const DeleteDialog = lazy(() => import('./delete-dialog.tsx'))

type OpenDialog =
  | { dialog: 'add' }
  | { dialog: Exclude<DialogName, 'secret'>; endpoint: Endpoint }
  | { dialog: 'secret'; endpoint: Endpoint; secret: string | null }

/** Where events of the platform go (product 10.4). */
export default function EndpointsTab() {
  const query = useQuery(endpointsQuery())
  const { data, error } = query
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const columns = useMemo(
    () => endpointColumns((dialog, endpoint) => setOpened({ dialog, endpoint, secret: null })),
    [],
  )
  const endpoints = data?.endpoints
  const isFull = endpoints !== undefined && endpoints.length > mostEndpoints
  if (error && !data) return <LoadFailure size="page" what="The endpoints" query={query} />
  return (
    <div className="gutter max-w-table py-4">
      <div className="mb-3 flex min-h-(--control) flex-wrap items-center justify-between gap-3">
        <p className="text-13 text-quiet">
          Each event goes to every endpoint that is on and wants its type.
          {isFull && ` There are ${endpoints.length}, and no more can be added.`}
        </p>
        <PermissionGate permission="endpoints.manage">
          <ChangeButton
            variant="primary"
            aria-haspopup="dialog"
            disabled={!endpoints || isFull}
            onClick={() => setOpened({ dialog: 'add' })}
          >
            <Plus aria-hidden />
            Add Endpoint
          </ChangeButton>
        </PermissionGate>
      </div>
      <RefreshFailure what="The endpoints" query={query} className="mb-3" />
      <StaticTable
        label="Endpoints"
        columns={columns}
        rows={endpoints ?? noEndpoints}
        rowId={(endpoint) => endpoint.id}
        empty={endpoints ? 'No data available' : 'Loading...'}
      />
      {endpoints?.length === 1 && (
        <p className="mt-3 text-13 text-quiet">
          Further endpoints appear here once you add them, each with a secret and a choice of events of its own.
        </p>
      )}
      <EndpointDialogs opened={opened} setOpened={setOpened} />
    </div>
  )
}

const noEndpoints: Endpoint[] = []

interface EndpointDialogsProps {
  opened: OpenDialog | null
  setOpened: Dispatch<SetStateAction<OpenDialog | null>>
}

/** After an endpoint was added, its secret takes the place of the form. */
function EndpointDialogs({ opened, setOpened }: EndpointDialogsProps) {
  const close = () => setOpened(null)
  return (
    <LazyBoundary fallback={null} onFailure={close}>
      {(opened?.dialog === 'add' || opened?.dialog === 'edit') && (
        <EndpointDialog
          endpoint={opened.dialog === 'edit' ? opened.endpoint : null}
          onClose={() => setOpened((now) => (now === opened ? null : now))}
          onAdded={(endpoint, secret) => setOpened({ dialog: 'secret', endpoint, secret })}
        />
      )}
      {opened?.dialog === 'secret' && (
        <SecretDialog endpoint={opened.endpoint} secret={opened.secret} onClose={close} />
      )}
      {opened?.dialog === 'delete' && <DeleteDialog endpoint={opened.endpoint} onClose={close} />}
    </LazyBoundary>
  )
}
