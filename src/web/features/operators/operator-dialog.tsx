import { Ban, KeyRound, LockOpen, LogOut } from 'lucide-react'
import { useState } from 'react'
import { longestOperatorReason, operatorRoutes, operatorTexts } from '#contract/operators.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import { roleLabels } from '#contract/permissions.ts'
import { call, describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'
import { InvitedNote, RoleField } from './dialog-parts.tsx'
import { fetchOperator, refetchOperators } from './queries.ts'
import { describeOperator, mayInvite } from './words.ts'

interface OperatorDialogProps {
  name: 'role' | 'sessions' | keyof typeof texts
  operator: Operator
  onClose: () => void
}

/** Changes what an operator may do, or ends what the operator has. */
export default function OperatorDialog({ name, ...rest }: OperatorDialogProps) {
  if (name === 'role') return <RoleDialog {...rest} />
  return name === 'sessions' ? <SessionsDialog {...rest} /> : <AccessDialog action={name} {...rest} />
}

interface AccessDialogProps extends Omit<OperatorDialogProps, 'name'> {
  action: keyof typeof texts
}

const texts = {
  disable: {
    title: (name: string) => `Disable ${name}?`,
    description: 'Every session ends at once, and sign-in is refused until somebody enables the operator again.',
    action: { label: 'Disable', icon: Ban, tone: 'danger' },
    success: operatorTexts.disabled,
    failure: 'Failed to disable the operator',
  },
  enable: {
    title: (name: string) => `Enable ${name}?`,
    description: 'The operator can sign in again, with the same password and role.',
    action: { label: 'Enable', icon: LockOpen },
    success: operatorTexts.enabled,
    failure: 'Failed to enable the operator',
  },
  resetFactors: {
    title: (name: string) => `Reset the second factors of ${name}?`,
    description:
      'Passkeys, authenticator apps and recovery codes are taken away, and every session ends. The password alone signs in then, until a factor is added.',
    action: { label: 'Reset Factors', icon: KeyRound, tone: 'danger' },
    success: operatorTexts.factorsReset,
    failure: 'Failed to reset the second factors',
  },
} as const

/** Disables an operator, enables one again or resets the second factors, with a reason for the audit log. */
function AccessDialog({ action, operator, onClose }: AccessDialogProps) {
  const [reason, setReason] = useState('')
  const { title, description, success, failure, action: button } = texts[action]
  const change = useChange({
    entity: operator,
    check: () => ({ reason: reason.trim() === '' ? 'Required' : undefined }),
    send: ({ id, version }) =>
      call(operatorRoutes[action], { params: { id }, body: { reason: reason.trim() }, ifMatch: version }),
    fetchFresh: fetchOperator,
    refetch: refetchOperators,
    success,
    describe: ({ operator: { username } }) => username,
    failure: (error) => describeError(error, failure),
    onDone: onClose,
  })
  // Taking access away waits for nobody.
  const need = useApprovalNeed(action === 'disable' ? null : 'change_operators')
  return (
    <FormDialog
      title={title(operator.username)}
      description={description}
      action={need.nameAction(button)}
      {...change.form}
      onClose={onClose}
    >
      <ApprovalNote need={need} />
      {action === 'disable' && <InvitedNote operator={operator} />}
      <LongTextField
        label="Reason"
        error={change.problems['reason']}
        hint="For the log of admin actions."
        value={reason}
        maxLength={longestOperatorReason}
        onType={setReason}
      />
      <ConflictHelp conflict={change.conflict}>{`Now ${describeOperator(change.current)}.`}</ConflictHelp>
    </FormDialog>
  )
}

/** Changes the role of an operator, who then signs in again. */
function RoleDialog({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const [role, setRole] = useState(operator.role)
  const change = useChange({
    entity: operator,
    send: ({ id, version }) => call(operatorRoutes.setRole, { params: { id }, body: { role }, ifMatch: version }),
    fetchFresh: fetchOperator,
    refetch: refetchOperators,
    success: operatorTexts.roleChanged,
    describe: ({ operator: changed }) => `${changed.username} is ${roleLabels[changed.role]} now`,
    failure: (error) => describeError(error, 'Failed to change the role'),
    onDone: onClose,
  })
  const { current } = change
  const need = useApprovalNeed('change_operators')
  return (
    <FormDialog
      title={`Change the role of ${operator.username}`}
      description={
        current.sessions > 0
          ? `${operator.username} is signed out everywhere, and signs in again with the new role.`
          : 'The new role counts from the next sign-in.'
      }
      action={need.nameAction({ label: 'Change Role', disabled: role === current.role })}
      {...change.form}
      onClose={onClose}
    >
      <ApprovalNote need={need} />
      {!mayInvite(role) && <InvitedNote operator={operator} />}
      <RoleField role={role} onRole={setRole} />
      <ConflictHelp conflict={change.conflict}>{`Now ${describeOperator(current)}.`}</ConflictHelp>
    </FormDialog>
  )
}

/** Ends all sessions of an operator, who can sign in again. */
function SessionsDialog({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const { username, sessions } = operator
  const change = useChange({
    entity: operator,
    send: ({ id }) => call(operatorRoutes.endSessions, { params: { id } }),
    refetch: refetchOperators,
    success: operatorTexts.sessionsEnded,
    describe: () => username,
    failure: (error) => describeError(error, 'Failed to end the sessions'),
    onDone: onClose,
  })
  return (
    <FormDialog
      role="alertdialog"
      title={`End ${sessions === 1 ? 'the session' : `all ${sessions} sessions`} of ${username}?`}
      description="Unsent input stays in the operator's browser, who can sign in again."
      action={{ label: 'End Sessions', icon: LogOut, tone: 'danger' }}
      {...change.form}
      onClose={onClose}
    />
  )
}
