import { Ban } from 'lucide-react'
import { useRef, useState } from 'react'
import { banReasonRequired, displayName, maxReason, memberRoutes } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
import { call } from '#web/api.ts'
import { useTargetNeed } from '#web/approvals/approval-need.ts'
import { TargetNote } from '#web/approvals/approval-note.tsx'
import { MemberLine } from '#web/members/member-line.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { checkLength } from '#web/lib/length.ts'
import { renderMemberName } from '#web/members/toast-lines.tsx'
import { useMemberChange } from './use-member-change.ts'

interface BanDialogProps {
  member: Member
  /**
   * In the list an empty reason disables the button (product 9.5). On the member's page it is refused with a message.
   */
  whenEmpty: 'cancel' | 'refuse'
  onClose: () => void
}

export default function BanDialog({ member, whenEmpty, onClose }: BanDialogProps) {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const length = checkLength(reason, maxReason)
  const { current, apply, isPending, refusal, conflict } = useMemberChange({
    member,
    send: ({ id, version }) =>
      call(memberRoutes.ban, { params: { id }, body: { reason: reason.trim() }, ifMatch: version }),
    success: 'User has been banned successfully',
    describe: renderMemberName,
    failure: 'Failed to ban user',
    onDone: onClose,
  })

  const need = useTargetNeed('ban_user', { type: 'user', id: member.id })

  function changeReason(text: string) {
    setReason(text)
    setMissing(false)
  }
  function submit() {
    if (reason.trim()) return apply()
    setMissing(true)
    field.current?.focus()
  }
  return (
    <FormDialog
      title={
        <>
          Ban <bdi>{displayName(current)}</bdi>?
        </>
      }
      description="This member can no longer sign in or invest. Wallets and orders stay as they are."
      action={need.nameAction({
        label: 'Ban User',
        icon: Ban,
        tone: 'danger',
        disabled: current.kycBanned || length.error !== null || (whenEmpty === 'cancel' && !reason.trim()),
      })}
      onSubmit={submit}
      onClose={onClose}
      pending={isPending}
    >
      <MemberLine member={current} />
      <TargetNote need={need} />
      <LongTextField
        label="Reason"
        error={isMissing ? banReasonRequired : (length.error ?? refusal)}
        hint={length.hint}
        ref={field}
        value={reason}
        onType={changeReason}
      />
      <ConflictHelp conflict={conflict}>
        <ReloadedState member={current} />
      </ConflictHelp>
    </FormDialog>
  )
}

/** Whether the ban can still be made, after a reload. */
const ReloadedState = ({ member }: { member: Member }) =>
  member.kycBanned ? (
    <>
      Reloaded. This member is banned already: <bdi>{member.bannedReason}</bdi>
    </>
  ) : (
    'Reloaded. This member is active; you can ban them now.'
  )
