import { operatorRoutes, operatorTexts } from '#contract/operators.ts'
import type { Invitation, Operator } from '#contract/schemas/operators.ts'
import { call, describeError } from '#web/api.ts'
import { useApprovalNeed } from '#web/approvals/approval-need.ts'
import { ApprovalNote } from '#web/approvals/approval-note.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { refetchOperators } from './queries.ts'

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
    refetch: refetchOperators,
    success: operatorTexts.renewed,
    describe: (invitation) => invitation.operator.username,
    onReply: onRenewed,
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
