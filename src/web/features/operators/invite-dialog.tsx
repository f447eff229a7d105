import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { longestUsername, operatorRoutes, operatorTexts } from '#contract/operators.ts'
import type { Role } from '#contract/permissions.ts'
import type { Invitation } from '#contract/schemas/operators.ts'
import { call, describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { plainText, TextField } from '#web/ui/text-field.tsx'
import { refetchOperators } from './queries.ts'
import { RoleField } from './role-field.tsx'

interface InviteDialogProps {
  onInvited: (invitation: Invitation) => void
  onClose: () => void
}

/** Invites an operator by a name and a role. The least powerful role is chosen at first. */
export default function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const change = useChange({
    entity: null,
    check: () => ({ username: username.trim() === '' ? 'Required' : undefined }),
    send: () => call(operatorRoutes.invite, { body: { username: username.trim(), role } }),
    refetch: refetchOperators,
    success: operatorTexts.invited,
    describe: (invitation) => invitation.operator.username,
    onReply: onInvited,
    failure: (error) => describeError(error, 'Failed to invite the operator'),
    onDone: onClose,
    fields: ['username'],
  })
  const need = useApprovalNeed('change_operators')
  return (
    <FormDialog
      title="Invite Operator"
      description={
        need.reason === null
          ? 'You get a link to hand over. Whoever opens it sets a password and can sign in.'
          : 'Who approves it gets a link to hand over. Whoever opens that sets a password and can sign in.'
      }
      action={need.nameAction({ label: 'Invite', icon: UserPlus })}
      {...change.form}
      onClose={onClose}
    >
      <ApprovalNote need={need} />
      <div className="grid gap-4">
        <TextField
          label="Username"
          error={change.problems['username']}
          value={username}
          maxLength={longestUsername}
          {...plainText}
          dir="auto"
          onType={setUsername}
        />
        <RoleField role={role} onRole={setRole} />
      </div>
    </FormDialog>
  )
}
