import { useQueryClient } from '@tanstack/react-query'
import { BookmarkMinus, BookmarkPlus } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { maxAllocationReason } from '#contract/bank-allocations.ts'
import type { CandidateOrder } from '#contract/schemas/bank-candidates.ts'
import { cn } from '#web/lib/cn.ts'
import { FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { isComposingKey, readKey } from '#web/lib/keys.ts'
import { accountQuery } from '#web/use-can.ts'
import { Button } from '#web/ui/button.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import { isOnTop } from '#web/ui/use-shortcuts.ts'
import { nameMember } from './candidate-allocations.ts'
import type { LineActions } from './use-line-actions.ts'
import type { LineWork, NeededReason } from './use-line-work.ts'
import {
  mostReasonLength,
  readQuickReasons,
  reasonKeys,
  storeQuickReasons,
  type ReasonSubject,
} from './quick-reasons.ts'

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
      maxLength={maxAllocationReason}
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

interface ReasonChoiceProps {
  subject: ReasonSubject
  reason: string
  onChange: (reason: string) => void
  isDisabled: boolean
}

/**
 * Quick reasons, each on a digit that no candidate has. In a text field a digit is text, but for the field of the reason while that
 * is empty or holds a quick reason.
 */
export function ReasonChoice({ subject, reason, onChange, isDisabled }: ReasonChoiceProps) {
  const { reasons, keep, forget } = useQuickReasons(subject)
  const choices = useRef<HTMLFieldSetElement>(null)
  const typed = reason.trim()
  const isQuick = reasons.includes(typed)
  const mayKeep = typed !== '' && typed.length <= mostReasonLength && reasons.length < reasonKeys.length
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey, shiftKey, repeat, defaultPrevented } = event
    const picked = reasons[reasonKeys.indexOf(readKey(event))]
    if (!picked || isDisabled || ctrlKey || metaKey || altKey || shiftKey || repeat || isComposingKey(event)) return
    if (defaultPrevented || !isOnTop(choices.current)) return
    const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isText && !(target.name === 'reason' && (typed === '' || isQuick))) return
    event.preventDefault()
    onChange(picked)
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <fieldset ref={choices} aria-label="Quick reasons" className="flex min-w-0 flex-wrap gap-1.5">
      {reasons.map((each, at) => (
        <Button
          key={each}
          size="small"
          aria-pressed={each === typed}
          aria-keyshortcuts={reasonKeys[at]}
          title={each}
          disabled={isDisabled}
          // A click leaves the focus where it is, so that Enter applies.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChange(each)}
          className="min-w-0 shrink px-2 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
        >
          <KeyHint>{reasonKeys[at]!}</KeyHint>
          <span className="min-w-0 truncate">{each}</span>
        </Button>
      ))}
      {isQuick ? (
        <Button variant="ghost" size="small" disabled={isDisabled} onClick={() => forget(typed)}>
          <BookmarkMinus aria-hidden />
          Forget
        </Button>
      ) : (
        mayKeep && (
          <Button variant="ghost" size="small" disabled={isDisabled} onClick={() => keep(typed)}>
            <BookmarkPlus aria-hidden />
            Keep as Quick Reason
          </Button>
        )
      )}
      {/* A digit leaves the focus where it is. */}
      <output className="sr-only">{isQuick && `Reason: ${typed}`}</output>
    </fieldset>
  )
}

/** The operator's quick reasons, as they are kept in this browser. */
function useQuickReasons(subject: ReasonSubject) {
  const adminId = useQueryClient().getQueryData(accountQuery.queryKey)?.admin.id ?? ''
  const [reasons, setReasons] = useState(() => readQuickReasons(adminId, subject))
  const change = (changed: string[]) => {
    setReasons(changed)
    storeQuickReasons(adminId, subject, changed)
  }
  return {
    reasons,
    keep: (reason: string) => change([...reasons, reason]),
    forget: (reason: string) => change(reasons.filter((each) => each !== reason)),
  }
}
