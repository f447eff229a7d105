import { LockOpen } from 'lucide-react'
import { displayName, memberRoutes } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
import { call } from '#web/api.ts'
import { useTargetNeed } from '#web/approvals/approval-need.ts'
import { TargetNote } from '#web/approvals/approval-note.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { MemberLine } from '#web/members/member-line.tsx'
import { renderMemberName } from '#web/members/toast-lines.tsx'
import { useMemberChange } from './use-member-change.ts'

export default function UnbanDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { current, apply, isPending, refusal, conflict } = useMemberChange({
    member,
    send: ({ id, version }) => call(memberRoutes.unban, { params: { id }, ifMatch: version }),
    success: 'User has been unbanned successfully',
    describe: renderMemberName,
    failure: 'Failed to unban user',
    onDone: onClose,
  })
  const need = useTargetNeed('unban_user', { type: 'user', id: member.id })
  return (
    <FormDialog
      role="alertdialog"
      title={
        <>
          Unban <bdi>{displayName(current)}</bdi>?
        </>
      }
      description="Are you sure you want to unban this user?"
      action={need.nameAction({ label: 'Unban User', icon: LockOpen, disabled: !current.kycBanned })}
      onSubmit={apply}
      onClose={onClose}
      pending={isPending}
    >
      <MemberLine member={current} />
      <TargetNote need={need} />
      <p className="text-13 text-quiet">This member can sign in and invest again.</p>
      {current.bannedReason && (
        <p className="mt-2 text-13 break-words">
          <span className="text-quiet">Banned because: </span>
          <bdi>{current.bannedReason}</bdi>
        </p>
      )}
      <FieldError>{refusal}</FieldError>
      <ConflictHelp conflict={conflict}>
        {current.kycBanned
          ? 'Reloaded. This member is still banned; you can unban them now.'
          : 'Reloaded. This member is active already.'}
      </ConflictHelp>
    </FormDialog>
  )
}
