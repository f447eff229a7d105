import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { longestUsername, operatorRoutes, operatorTexts, invitationHours } from '#contract/operators.ts'
import type { Role } from '#contract/permissions.ts'
import type { Invitation, Operator } from '#contract/schemas/operators.ts'
import { call, describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { plainText, TextField } from '#web/ui/text-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { refetchOperators } from './queries.ts'
import { RoleField } from './dialog-parts.tsx'

/** Nobody is invited yet, an operator gets another link, or a link is shown. */
export type OpenedInvitation =
  | { dialog: 'invite' }
  | { dialog: 'invitation'; operator: Operator }
  | { dialog: 'link'; invitation: Invitation }

interface InvitationDialogProps {
  opened: OpenedInvitation
  onInvited: (invitation: Invitation) => void
  onClose: () => void
}

/** Invites an operator by a link. */
export default function InvitationDialog({ opened, ...rest }: InvitationDialogProps) {
  if (opened.dialog === 'link') return <LinkDialog invitation={opened.invitation} onClose={rest.onClose} />
  return opened.dialog === 'invite' ? <InviteDialog {...rest} /> : <RenewDialog operator={opened.operator} {...rest} />
}

type InviteDialogProps = Omit<InvitationDialogProps, 'opened'>

/** Invites an operator by a name and a role. The least powerful role is chosen at first. */
function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
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
          ? 'You get a link to hand over. Anyone who opens it sets a password and can sign in.'
          : 'Who approves it gets a link to hand over. Anyone who opens that sets a password and can sign in.'
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

interface RenewDialogProps extends InviteDialogProps {
  operator: Operator
}

/** A new link in place of an earlier one. */
function RenewDialog({ operator, onInvited, onClose }: RenewDialogProps) {
  const change = useChange({
    entity: operator,
    send: ({ id }) => call(operatorRoutes.renewInvitation, { params: { id } }),
    refetch: refetchOperators,
    success: operatorTexts.renewed,
    describe: (invitation) => invitation.operator.username,
    onReply: onInvited,
    failure: (error) => describeError(error, 'Failed to make a new link'),
    onDone: onClose,
  })
  const need = useApprovalNeed('change_operators')
  return (
    <FormDialog
      role="alertdialog"
      title={`New link for ${operator.username}?`}
      description="An earlier link of this operator stops working."
      action={need.nameAction({ label: 'New Link' })}
      {...change.form}
      onClose={onClose}
    >
      {need.reason !== null && <ApprovalNote need={need} className="" />}
    </FormDialog>
  )
}

/** The link of an invitation. Nobody can see it again. */
function LinkDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { link, operator } = invitation
  return (
    <Dialog
      title={`Invitation of ${operator.username}`}
      description={`It is shown this once. Give it to ${operator.username} alone: anyone who opens it sets the password. It works once, for ${invitationHours} hours.`}
      onClose={onClose}
    >
      <DialogBody>
        <p className="flex items-center gap-1 rounded-m border bg-canvas px-3 py-2">
          <code className="hash-text min-w-0 flex-1 break-all">{link}</code>
          <CopyButton text={link} label="Copy link" />
        </p>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
