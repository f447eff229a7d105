import { Ban, KeyRound, LockOpen } from 'lucide-react'
import { useState } from 'react'
import { longestOperatorReason, operatorRoutes, operatorTexts } from '#contract/operators.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import { call, describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'
import { InvitedNote } from './invited-note.tsx'
import { fetchOperator, refetchOperators } from './queries.ts'
import { describeOperator } from './words.ts'

interface AccessDialogProps {
  action: 'disable' | 'enable' | 'resetFactors'
  operator: Operator
  onClose: () => void
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
export default function AccessDialog({ action, operator, onClose }: AccessDialogProps) {
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
