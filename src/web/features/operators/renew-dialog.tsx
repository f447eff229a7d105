import { operatorRoutes, operatorTexts } from '#contract/operators.ts'
import type { Invitation, Operator } from '#contract/schemas/operators.ts'
import { call, describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { fetchOperator, refetchOperators } from './queries.ts'

interface RenewDialogProps {
  operator: Operator
  onRenewed: (invitation: Invitation) => void
  onClose: () => void
}

/** A new link in place of an earlier one. */
export default function RenewDialog({ operator, onRenewed, onClose }: RenewDialogProps) {
  const change = useChange({
    entity: operator,
    send: ({ id }) => call(operatorRoutes.renewInvitation, { params: { id } }),
    fetchFresh: fetchOperator,
    refetch: refetchOperators,
    success: operatorTexts.renewed,
    describe: (invitation) => {
      onRenewed(invitation)
      return invitation.operator.username
    },
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
      onSubmit={change.apply}
      onClose={onClose}
      pending={change.isPending}
      refusal={change.refusal}
    >
      {need.reason !== null && <ApprovalNote need={need} className="" />}
    </FormDialog>
  )
}
