import { maxPartReason } from '#contract/reconciliation.ts'
import type { CandidateOrder } from '#contract/schemas/reconciliation.ts'
import { cn } from '#web/lib/cn.ts'
import { FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { nameMember } from './candidate-words.ts'
import { ReasonChoice } from './reason-choice.tsx'
import type { LineActions } from './use-line-actions.ts'
import type { LineWork, NeededReason } from './use-line-work.ts'

interface ReasonProps {
  /** Of what describes the field. */
  id: string
  work: LineWork
  actions: LineActions
  isDisabled: boolean
}

/** The field in the row of the buttons. */
export function ReasonField({ id, work, actions, isDisabled }: ReasonProps) {
  const { isReasonAsked, reasonRef, setReason } = actions
  return (
    <Input
      ref={reasonRef}
      name="reason"
      aria-label="Reason"
      aria-describedby={id}
      {...(isReasonAsked && work.isReasonMissing && { 'aria-invalid': true })}
      required
      dir="auto"
      maxLength={maxPartReason}
      placeholder="Reason"
      value={work.reason}
      disabled={isDisabled}
      onChange={({ target }) => setReason(target.value)}
      className="w-auto min-w-0 flex-1 basis-40 max-md:basis-full"
    />
  )
}

interface ReasonHelpProps extends ReasonProps {
  neededReason: NeededReason
  isCredit: boolean
}

/** Why a reason is needed and for whose payment, above the quick reasons. */
export function ReasonHelp({ id, work, actions, neededReason, isCredit, isDisabled }: ReasonHelpProps) {
  const { isReasonAsked, setReason } = actions
  const { why, subject, order } = neededReason
  return (
    <div className="mb-2 max-w-280 space-y-2">
      <div id={id} className="text-12 wrap-anywhere text-quiet">
        <p className={cn(isCredit && 'sr-only')}>{why}</p>
        {order && <ReasonFor order={order} />}
        {isReasonAsked && work.isReasonMissing && <FieldError>Give a reason first.</FieldError>}
      </div>
      <ReasonChoice key={subject} subject={subject} reason={work.reason} onChange={setReason} isDisabled={isDisabled} />
    </div>
  )
}

/** Whose payment is explained: e-mail and id tell namesakes apart. */
const ReasonFor = ({ order }: { order: CandidateOrder }) => (
  <p>
    <bdi>{order.orderNumber}</bdi> of <bdi>{nameMember(order)}</bdi> · <bdi>{order.userEmail}</bdi> ·{' '}
    <bdi>{order.userId}</bdi>
  </p>
)
