import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { maxResolutionNote, securityRoutes } from '#contract/security.ts'
import type { ListedEvent } from '#contract/schemas/security.ts'
import { ApiError, call } from '#web/api.ts'
import { useChange } from '#web/changes/use-change.ts'
import { formatCount } from '#web/lib/money.ts'
import { formatMachineName } from '#web/lib/words.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'
import { refetchSecurity } from './queries.ts'

/** Resolves an event with a note (product 6.10). When somebody else was first, the dialog can only be closed. */
export default function ResolveDialog({ event, onClose }: { event: ListedEvent; onClose: () => void }) {
  const { equal = 1 } = event
  const [note, setNote] = useState('')
  const resolution = useChange({
    entity: event,
    send: ({ id, version }) =>
      call(securityRoutes.resolve, {
        params: { id },
        body: { note: note.trim() || null, ...(equal > 1 && { equal: true }) },
        ifMatch: version,
      }),
    refetch: refetchSecurity,
    success: ({ resolved }) =>
      resolved === 1 ? 'Security event resolved' : `${formatCount(resolved)} security events resolved`,
    describe: () => formatMachineName(event.eventType),
    failure: 'Failed to resolve security event',
    onDone: onClose,
  })
  const isDecided = isConflict(resolution.error)
  return (
    <FormDialog
      title={`Resolve ${equal > 1 ? `${formatCount(equal)} × ` : ''}“${formatMachineName(event.eventType)}”?`}
      description={<bdi>{event.description}</bdi>}
      action={{ label: 'Resolve', icon: CircleCheck, disabled: isDecided }}
      cancelLabel={isDecided ? 'Close' : 'Cancel'}
      {...resolution.form}
      onClose={onClose}
    >
      <LongTextField
        label="Note"
        optional
        hint="What it was, and what you did about it."
        value={note}
        maxLength={maxResolutionNote}
        onType={setNote}
      />
    </FormDialog>
  )
}

const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409
