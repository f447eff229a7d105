import { Ban } from 'lucide-react'
import { useState } from 'react'
import { banReasonRequired, displayName, maxReason, userRoutes, type User } from '#contract/users.ts'
import { call } from '#web/api.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { ConflictHelp } from './conflict-help.tsx'
import { useUserChange } from './use-user-change.ts'

interface BanDialogProps {
  user: User
  /** An empty reason cancels in the list (PRODUCT 3.10) and is refused on the member's page (SPEC section 5). */
  whenEmpty: 'cancel' | 'refuse'
  onClose: () => void
}

export default function BanDialog({ user, whenEmpty, onClose }: BanDialogProps) {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { current, apply, isPending, refusal, conflict } = useUserChange({
    user,
    send: ({ id, version }) =>
      call(userRoutes.ban, { params: { id }, body: { reason: reason.trim() }, ifMatch: version }),
    success: 'User has been banned successfully',
    failure: 'Failed to ban user',
    onDone: onClose,
  })

  function submit() {
    if (reason.trim()) return apply()
    if (whenEmpty === 'cancel') return onClose()
    setMissing(true)
  }
  return (
    <FormDialog
      title={
        <>
          Ban <bdi>{displayName(current)}</bdi>?
        </>
      }
      description="This member can no longer sign in or invest. Wallets and orders stay as they are."
      action={{ label: 'Ban User', icon: Ban, tone: 'danger', disabled: current.kycBanned }}
      onSubmit={submit}
      onClose={onClose}
      pending={isPending}
    >
      <Field
        label="Reason"
        error={isMissing ? banReasonRequired : refusal}
        {...(whenEmpty === 'cancel' && { hint: 'Leaving it empty cancels.' })}
      >
        {(control) => (
          <Textarea
            {...control}
            value={reason}
            maxLength={maxReason}
            dir="auto"
            onChange={(event) => {
              setReason(event.target.value)
              setMissing(false)
            }}
          />
        )}
      </Field>
      <ConflictHelp conflict={conflict}>
        {current.kycBanned ? (
          <>
            Reloaded. This member is banned already: <bdi>{current.bannedReason}</bdi>
          </>
        ) : (
          'Reloaded. This member is active; you can ban them now.'
        )}
      </ConflictHelp>
    </FormDialog>
  )
}
