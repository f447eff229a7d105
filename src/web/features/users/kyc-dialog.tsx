import { Check, Undo2, X, type LucideIcon } from 'lucide-react'
import { canDecideKyc, kycStatusLabels, type KycAction } from '#contract/kyc.ts'
import { displayName, userRoutes, type User } from '#contract/users.ts'
import { call } from '#web/api.ts'
import { DecisionFields, useDecisionTexts } from '#web/reviews/decision-fields.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useUserChange } from './use-user-change.ts'

const looks: Record<KycAction, { verb: string; consequence: string; icon: LucideIcon; tone: 'primary' | 'danger' }> = {
  approve: {
    verb: 'Approve',
    consequence:
      'KYC counts as completed, and a membership id is assigned for good. An approval can’t be taken back here.',
    icon: Check,
    tone: 'primary',
  },
  reject: {
    verb: 'Reject',
    consequence: 'KYC becomes Rejected. The member can submit a new attempt.',
    icon: X,
    tone: 'danger',
  },
  reset: {
    verb: 'Reset',
    consequence:
      'The member goes back to Pending, step 1, and submits everything again. Documents of earlier attempts stay in the history.',
    icon: Undo2,
    tone: 'primary',
  },
}

interface KycDialogProps {
  action: KycAction
  user: User
  onClose: () => void
}

/** Approve, reject or reset a member's KYC (SPEC sections 4 and 5). */
export default function KycDialog({ action, user, onClose }: KycDialogProps) {
  const { verb, consequence, icon, tone } = looks[action]
  const isReject = action === 'reject'
  const texts = useDecisionTexts(isReject)
  const { current, apply, isPending, refusal, conflict } = useUserChange({
    user,
    send: ({ id, version }) =>
      call(userRoutes.decideKyc, {
        params: { id, action },
        body: texts.body,
        ifMatch: version,
      }),
    success: 'KYC Status Updated',
    failure: 'Failed to update KYC status',
    onDone: onClose,
  })
  const canDecide = canDecideKyc(current.kycStatus)
  return (
    <FormDialog
      title={
        <>
          {verb} KYC of <bdi>{displayName(current)}</bdi>?
        </>
      }
      description={consequence}
      action={{
        label: verb,
        icon,
        tone,
        disabled: !texts.canSend || !canDecide,
      }}
      onSubmit={apply}
      onClose={onClose}
      pending={isPending}
    >
      <DecisionFields texts={texts} refusal={refusal} />
      <ConflictHelp conflict={conflict}>
        Reloaded. KYC now stands at {current.kycStatus ? kycStatusLabels[current.kycStatus] : 'Not started'}
        {canDecide ? '; you can decide now.' : ' and is decided already.'}
      </ConflictHelp>
    </FormDialog>
  )
}
