import { Ban, Check, Undo2 } from 'lucide-react'
import { useState } from 'react'
import {
  approvalDesigns,
  approvalRoutes,
  approvalStateLabels,
  approvalTexts,
  longestApprovalComment,
} from '#contract/approvals.ts'
import { missingParts } from '#contract/kyc-parts.ts'
import type { Approval } from '#contract/schemas/approvals.ts'
import { call, describeError } from '#web/api.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { ConflictHelp } from '#web/changes/conflict-help.tsx'
import { useChange } from '#web/changes/use-change.ts'
import { useUnseenApproval } from '#web/reviews/case-parts.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { LongTextField } from '#web/ui/text-field.tsx'
import { approvalQuery, refetchAll } from './queries.ts'

export type Decision = 'approve' | 'decline' | 'withdraw'

const texts = {
  approve: {
    title: 'Approve this request?',
    description: 'The change is made at once, in the name of who has requested it. The log names both of you.',
    action: { label: 'Approve', icon: Check },
    done: approvalTexts.approved,
    failure: 'Failed to approve the request',
  },
  decline: {
    title: 'Decline this request?',
    description: 'Nothing is changed. Who has requested it reads your comment.',
    action: { label: 'Decline', icon: Ban, tone: 'danger' },
    done: approvalTexts.declined,
    failure: 'Failed to decline the request',
  },
  withdraw: {
    title: 'Withdraw this request?',
    description: 'Nothing is changed, and nobody can approve it any more.',
    action: { label: 'Withdraw', icon: Undo2 },
    done: approvalTexts.withdrawn,
    failure: 'Failed to withdraw the request',
  },
} as const

interface DecisionDialogProps {
  decision: Decision
  approval: Approval
  /** Gets the link of an approved invitation. */
  onLink: (link: string) => void
  onClose: () => void
}

/** What is requested: “Mark an order paid by hand: ORD-010891, 6,501.76 EUR”. */
const Subject = ({ approval: { action, target, amount, currency } }: { approval: Approval }) => (
  <>
    {approvalDesigns[action].label}: <bdi>{target.name}</bdi>
    {amount !== null && `, ${formatAmount(amount)} ${currency ?? ''}`}
  </>
)

/** What the attempt lacks, as the audit row of its approval would say. */
const readMissing = ({ changes }: Approval) =>
  missingParts.filter((part) =>
    changes.some(({ details }) => Array.isArray(details['missing']) && details['missing'].includes(part)),
  )

/** Of an approval of KYC: what the attempt lacks, and the second press that it takes. */
const useUnseenKyc = (decision: Decision, approval: Approval) =>
  useUnseenApproval({
    isApproval: decision === 'approve' && approval.action === 'approve_kyc',
    missing: readMissing(approval),
    sent: null,
    elsewhere: 'Review shows them all beside what was entered.',
  })

const describeState = (state: Approval['state']) =>
  state === 'open' ? 'The request still waits.' : `Now: ${approvalStateLabels[state]}.`

/** Sends a decision. Declining needs a comment. */
async function sendDecision(decision: Decision, id: string, comment: string) {
  const params = { id }
  if (decision === 'withdraw') return { ...(await call(approvalRoutes.withdraw, { params })), link: null }
  if (decision === 'decline')
    return { ...(await call(approvalRoutes.decline, { params, body: { comment } })), link: null }
  return call(approvalRoutes.approve, { params, body: { comment: comment || null } })
}

/** Approves, declines or withdraws a request. */
export default function DecisionDialog({ decision, approval, onLink, onClose }: DecisionDialogProps) {
  const [comment, setComment] = useState('')
  const { title, description, action, done, failure } = texts[decision]
  const unseen = useUnseenKyc(decision, approval)
  const change = useChange({
    entity: approval,
    check: () => ({ comment: decision === 'decline' && comment.trim() === '' ? 'Required' : undefined }),
    send: ({ id }) => sendDecision(decision, id, comment.trim()),
    fetchFresh: async ({ id }, client) => (await client.fetchQuery({ ...approvalQuery(id), staleTime: 0 })).approval,
    refetch: refetchAll,
    success: done,
    describe: ({ approval: { action: of, target } }) => `${approvalDesigns[of].label}: ${target.name}`,
    onReply: ({ link }) => link !== null && onLink(link),
    failure: (error) => describeError(error, failure),
    onDone: onClose,
  })
  const { state } = change.current
  return (
    <FormDialog
      title={title}
      description={
        <>
          <span className="mb-1 block font-medium wrap-anywhere text-ink">
            <Subject approval={approval} />
          </span>
          {description}
        </>
      }
      action={unseen.nameAction({ ...action, disabled: state !== 'open' })}
      {...change.form}
      onSubmit={() => unseen.press(change.apply)}
      onClose={onClose}
      {...(decision === 'withdraw' && { role: 'alertdialog' as const })}
    >
      {unseen.notes}
      {decision !== 'withdraw' && (
        <LongTextField
          label="Comment"
          optional={decision === 'approve'}
          error={change.problems['comment']}
          value={comment}
          maxLength={longestApprovalComment}
          onType={setComment}
        />
      )}
      <ConflictHelp conflict={change.conflict}>Reloaded. {describeState(state)}</ConflictHelp>
    </FormDialog>
  )
}
