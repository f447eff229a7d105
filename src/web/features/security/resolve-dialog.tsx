import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { maxResolutionNote, securityRoutes } from '#contract/security.ts'
import type { ListedEvent } from '#contract/schemas/security.ts'
import { ApiError, call, describeChangeFailure, describeChangeRefusal, isUnauthorized } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { formatCount } from '#web/lib/money.ts'
import { formatMachineName } from '#web/lib/words.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { refetchSecurity } from './queries.ts'

/** Resolves an event with a note (product 6.10). When somebody else was first, the dialog can only be closed. */
export default function ResolveDialog({ event, onClose }: { event: ListedEvent; onClose: () => void }) {
  const client = useQueryClient()
  const { equal = 1 } = event
  const [note, setNote] = useState('')
  const resolution = useSingleMutation({
    mutationFn: () =>
      call(securityRoutes.resolve, {
        params: { id: event.id },
        body: { note: note.trim() || null, ...(equal > 1 && { equal: true }) },
        ifMatch: event.version,
      }),
    onSuccess: async ({ resolved }) => {
      const title = resolved === 1 ? 'Security event resolved' : `${formatCount(resolved)} security events resolved`
      toast({ tone: 'success', title, description: formatMachineName(event.eventType) })
      await refetchSecurity(client)
      onClose()
    },
    onError: (error) => {
      // The shared handler reports an ended session (product 9.2). No other toast may cover it.
      if (isUnauthorized(error)) return
      toast({
        tone: 'destructive',
        title: 'Error',
        description: describeChangeFailure(error, 'Failed to resolve security event'),
      })
      if (isConflict(error)) void refetchSecurity(client)
    },
  })
  const isDecided = isConflict(resolution.error)
  return (
    <FormDialog
      title={`Resolve ${equal > 1 ? `${formatCount(equal)} × ` : ''}“${formatMachineName(event.eventType)}”?`}
      description={<bdi>{event.description}</bdi>}
      action={{ label: 'Resolve', icon: CircleCheck, disabled: isDecided }}
      cancelLabel={isDecided ? 'Close' : 'Cancel'}
      onSubmit={() => resolution.mutate()}
      onClose={onClose}
      pending={resolution.isPending}
      refusal={resolution.error && describeChangeRefusal(resolution.error)}
    >
      <Field label="Note" optional hint="What it was, and what you did about it.">
        {(control) => (
          <Textarea
            {...control}
            value={note}
            maxLength={maxResolutionNote}
            dir="auto"
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409
