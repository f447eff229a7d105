import { useState } from 'react'
import { operatorRoutes, operatorTexts } from '#contract/operators.ts'
import { roleLabels } from '#contract/permissions.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import { call, describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { InvitedNote } from './invited-note.tsx'
import { fetchOperator, refetchOperators } from './queries.ts'
import { RoleField } from './role-field.tsx'
import { describeOperator, mayInvite } from './words.ts'

/** Changes the role of an operator, who then signs in again. */
export default function RoleDialog({ operator, onClose }: { operator: Operator; onClose: () => void }) {
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
