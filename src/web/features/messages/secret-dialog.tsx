import { useState } from 'react'
import { endpointRoutes } from '#contract/endpoints.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { call } from '#web/api.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'
import { fetchEndpoint, refetchEndpoints } from './endpoints.ts'

interface ShownSecret {
  endpoint: Endpoint
  secret: string
}

/** The secret of a new endpoint, or what can be done with that of one: give a new one, or end the old one. */
export default function SecretDialog({
  endpoint,
  secret,
  onClose,
}: {
  endpoint: Endpoint
  secret: string | null
  onClose: () => void
}) {
  const [made, setMade] = useState<ShownSecret | null>(secret === null ? null : { endpoint, secret })
  if (made) return <NewSecret {...made} onClose={onClose} />
  return <ReplaceSecret endpoint={endpoint} onMade={setMade} onClose={onClose} />
}

function NewSecret({ endpoint: { name, secrets }, secret, onClose }: ShownSecret & { onClose: () => void }) {
  return (
    <Dialog title={`Secret of ${name}`} description="It is shown this once. Give it to the endpoint." onClose={onClose}>
      <DialogBody>
        <p className="flex items-center gap-1 rounded-m border bg-canvas px-3 py-2">
          <code className="hash-text min-w-0 flex-1 break-all">{secret}</code>
          <CopyButton text={secret} label="Copy secret" />
        </p>
        {secrets > 1 && (
          <Note className="mt-3">
            Both secrets sign until you end the old one, so that no event is refused meanwhile.
          </Note>
        )}
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function ReplaceSecret({
  endpoint,
  onMade,
  onClose,
}: {
  endpoint: Endpoint
  onMade: (made: ShownSecret) => void
  onClose: () => void
}) {
  // What is asked for stays, also while the list behind is fetched again.
  const [isEnding] = useState(endpoint.secrets > 1)
  const change = useChange({
    entity: endpoint,
    send: async ({ id, version: ifMatch }): Promise<{ endpoint: Endpoint; secret?: string }> =>
      isEnding
        ? call(endpointRoutes.endOldSecret, { params: { id }, ifMatch })
        : call(endpointRoutes.rotateSecret, { params: { id }, ifMatch }),
    fetchFresh: fetchEndpoint,
    refetch: refetchEndpoints,
    success: isEnding ? 'Old secret ended' : 'New secret made',
    describe: (reply) => reply.endpoint.name,
    onReply: ({ endpoint: changed, secret }) => secret !== undefined && onMade({ endpoint: changed, secret }),
    failure: 'Failed to replace the secret',
    onDone: () => isEnding && onClose(),
  })
  const { current } = change
  return (
    <FormDialog
      role="alertdialog"
      title={isEnding ? `End the old secret of ${endpoint.name}?` : `Give ${endpoint.name} a new secret?`}
      description={
        isEnding
          ? 'Events are then signed with the new secret alone. An endpoint that knows only the old one refuses them.'
          : 'The old secret goes on signing beside it until you end it. The new one is shown once.'
      }
      action={isEnding ? { label: 'End Old Secret', tone: 'danger' } : { label: 'New Secret' }}
      {...change.form}
      onClose={onClose}
    >
      <p className="text-13 text-quiet">
        The present secret is of {current.secretSetAt && <Instant value={current.secretSetAt} />}.
      </p>
      <ConflictHelp conflict={change.conflict}>
        {current.secrets > 1 ? 'Two secrets sign now.' : 'One secret signs now.'}
      </ConflictHelp>
    </FormDialog>
  )
}
