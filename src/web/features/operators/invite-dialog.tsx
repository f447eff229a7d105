import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { longestUsername, operatorRoutes, operatorTexts } from '#contract/operators.ts'
import type { Role } from '#contract/permissions.ts'
import type { Invitation } from '#contract/schemas/operators.ts'
import { call, describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Input } from '#web/ui/input.tsx'
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
  const [problem, setProblem] = useState<string | null>(null)
  const change = useChange({
    entity: null,
    send: () => call(operatorRoutes.invite, { body: { username: username.trim(), role } }),
    fetchFresh: async (none) => none,
    refetch: refetchOperators,
    success: operatorTexts.invited,
    describe: (invitation) => {
      onInvited(invitation)
      return invitation.operator.username
    },
    failure: (error) => describeError(error, 'Failed to invite the operator'),
    onDone: onClose,
    fields: ['username'],
  })
  const need = useApprovalNeed('change_operators')
  function submit() {
    const isMissing = username.trim() === ''
    setProblem(isMissing ? 'Required' : null)
    if (!isMissing) change.apply()
  }
  return (
    <FormDialog
      title="Invite Operator"
      description={
        need.reason === null
          ? 'You get a link to hand over. Whoever opens it sets a password and can sign in.'
          : 'Who approves it gets a link to hand over. Whoever opens that sets a password and can sign in.'
      }
      action={need.nameAction({ label: 'Invite', icon: UserPlus })}
      onSubmit={submit}
      onClose={onClose}
      pending={change.isPending}
      refusal={change.refusal}
    >
      <ApprovalNote need={need} />
      <div className="grid gap-4">
        <Field label="Username" error={problem ?? change.problems['username']}>
          {(control) => (
            <Input
              {...control}
              value={username}
              maxLength={longestUsername}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              dir="auto"
              onChange={({ target }) => setUsername(target.value)}
            />
          )}
        </Field>
        <RoleField role={role} onRole={setRole} />
      </div>
    </FormDialog>
  )
}
