import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import type { ReviewCase, Verification } from '#contract/schemas/kyc-reviews.ts'
import { userRoutes } from '#contract/users.ts'
import type { User } from '#contract/schemas/users.ts'
import { buildQuery } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { verificationsQuery, waitingCasesQuery } from '#web/reviews/queries.ts'
import { useUnsaved } from '#web/ui/use-unsaved.ts'
import { CaseBar } from './case-bar.tsx'
import { DecisionButtons, LostCaseNote, RefusalNote, ReservationStatus } from './decision-bar.tsx'
import { DecisionForm, isComplete } from './decision-form.tsx'
import { EarlierAttempts } from './earlier-attempts.tsx'
import { DocumentComparison, type CaseDocument } from './document-comparison.tsx'
import { MemberData } from './member-data.tsx'
import { useUnseenDocuments } from './unseen-documents.ts'
import { useDecision } from './use-decision.ts'
import { useFormKeys } from './use-form-keys.ts'
import type { ClaimedCase, CaseClaim } from './use-case-claim.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useAlertsInSight } from './use-alerts-in-sight.ts'
import { useTextKeys } from './use-text-keys.ts'
import { useActivityHeartbeat } from './use-activity-heartbeat.ts'
import { useWarning } from './use-warning.ts'
import { adultAge, calculateAge } from './time-spans.ts'

const listDocuments = ({ step3, step4 }: ReviewCase): CaseDocument[] =>
  [
    { label: 'Identity front', hotkey: 'F', path: step3?.frontDocumentUrl },
    { label: 'Identity back', hotkey: 'B', path: step3?.backDocumentUrl },
    { label: 'Selfie', hotkey: 'S', path: step4?.selfieUrl },
  ].flatMap(({ path, ...rest }) => (path ? [{ ...rest, path }] : []))

/** Reasons against an approval, shown before it is confirmed. */
const listDoubts = (reviewed: ReviewCase): string[] => {
  const age = reviewed.step2 && calculateAge(reviewed.step2.dateOfBirth)
  return [
    ...(age !== null && age < adultAge ? [`The member is ${age} years old.`] : []),
    ...(reviewed.verification.providerResult === 'rejected' ? ['The KYC provider says rejected.'] : []),
  ]
}

/** Moves toasts over the documents, away from the decision. */
function useToastOffset() {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--toasts-right', '384px')
    return () => void style.removeProperty('--toasts-right')
  }, [])
}

/** Calls `recheck` when the live stream reports another operator's decision on the member. */
function useDecisionWatch({ id, kycStatus }: User, recheck: (() => void) | false) {
  const now = useQuery(buildQuery(userRoutes.detail, { params: { id } })).data?.user
  const isDecided = now !== undefined && now.kycStatus !== kycStatus
  const isReady = recheck !== false
  const onDecided = useEffectEvent(() => recheck && recheck())
  useEffect(() => {
    if (isDecided && isReady) onDecided()
  }, [isDecided, isReady])
}

/** Calls `recheck` when the live stream reports a new result of the KYC provider. */
function useProviderWatch({ id, user, version }: Verification, recheck: (() => void) | false) {
  const found = useQuery(verificationsQuery(user.email)).data?.verifications.find((each) => each.id === id)
  const isNews = found !== undefined && found.status === 'pending' && found.version > version
  const isReady = recheck !== false
  const onNews = useEffectEvent(() => recheck && recheck())
  useEffect(() => {
    if (isNews && isReady) onNews()
  }, [isNews, isReady])
}

interface OpenCaseProps {
  claimed: ClaimedCase
  caseClaim: CaseClaim
  onClose: () => void
}

/** One case under review. Typed text lives as long as the case is open. */
export function OpenCase({ claimed, caseClaim, onClose }: OpenCaseProps) {
  const { lossReason, isOpening, isReloading, prolong, recheck, openAfterDecision, skipCase, setLossReason } = caseClaim
  const { reviewed } = claimed
  const { user, verification } = reviewed
  const [form, setForm] = useState<ReviewAction | null>(null)
  const [returnFocusTo, setReturnFocusTo] = useState<ReviewAction | null>(null)
  const [typed, setTyped] = useState({ reason: '', notes: '' })
  const waiting = useQuery(waitingCasesQuery()).data?.total ?? claimed.waiting
  const { decide, isPending, refusal, staleVersion } = useDecision({
    onDone: openAfterDecision,
    onConflict: setLossReason,
  })
  const isBusy = isPending || isOpening
  // Opening another case asks the same discard question as closing.
  const leaveFor = useRef(onClose)
  const leaveCase = useUnsaved({
    // The texts of a lost case cannot be sent any more.
    isEdited: () => lossReason === null && (typed.reason.trim() !== '' || typed.notes.trim() !== ''),
    isSending: isBusy,
    onClose: () => leaveFor.current(),
  })
  const leaveCaseFor = (way: () => void) => {
    leaveFor.current = way
    void leaveCase()
  }
  const close = () => leaveCaseFor(onClose)
  // While a decision is being sent, its own answer says whether the case is lost.
  const isLost = lossReason !== null && !isBusy
  const canDecide = lossReason === null
  const isReloaded = staleVersion !== undefined && staleVersion !== verification.version

  const canChoose = form === null && canDecide && !isBusy
  const choose = (action: ReviewAction) => canChoose && setForm(action)
  const cancel = () => {
    setReturnFocusTo(form)
    setForm(null)
    withdraw()
  }
  const documents = listDocuments(reviewed)
  const { unseen, onShown } = useUnseenDocuments(documents)
  // Approving unseen documents takes a second press.
  const { warning, warn, withdraw } = useWarning()
  const confirm = () => {
    if (form === null || isBusy || !canDecide || !isComplete(form, typed)) return
    if (form === 'approve' && unseen !== null && warning === 'none') return warn()
    const adminNotes = typed.notes.trim() || null
    const rejectionReason = form === 'reject' ? typed.reason.trim() : null
    decide(verification, { action: form, adminNotes, rejectionReason })
  }
  const next = () => {
    if (!isBusy) leaveCaseFor(skipCase)
  }
  const container = useRef<HTMLElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useAlertsInSight(panel)
  useToastOffset()
  useDecisionWatch(user, canDecide && !isBusy && recheck)
  useProviderWatch(verification, canDecide && !isBusy && recheck)
  useActivityHeartbeat(() => {
    if (canDecide && !isBusy) prolong()
  })
  useFormKeys(container, {
    onEscape: form === null || isBusy ? close : cancel,
    // Only its button confirms an approval. Ctrl with Enter after a reason typed into the wrong form approves nothing.
    onConfirm: form === 'reject' ? confirm : undefined,
  })
  useTextKeys(container, canDecide && !isBusy ? form : null)
  useShortcuts({
    a: () => choose('approve'),
    r: () => choose('reject'),
    n: (form === null || !canDecide) && next,
  })

  return (
    <section
      ref={container}
      aria-label="KYC review"
      aria-busy={isBusy}
      className="flex min-h-full flex-col roomy:grid roomy:h-full roomy:grid-cols-[minmax(0,1fr)_348px] roomy:grid-rows-[auto_minmax(0,1fr)] wide:grid-cols-[minmax(0,1fr)_384px]"
    >
      {/* Hidden on phones while the form is open, which names the member and has Cancel. */}
      <div className={cn('roomy:col-span-2', form !== null && 'max-md:hidden')}>
        <CaseBar reviewed={reviewed} onClose={close} />
      </div>
      <DocumentComparison user={user} documents={documents} onShown={onShown} isShort={form !== null} />
      <div className="flex min-h-0 flex-1 flex-col max-roomy:contents roomy:border-l">
        <section
          data-scrolls
          aria-label="Entered by member, and earlier attempts"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
          tabIndex={0}
          className="min-h-0 flex-1 space-y-5 overflow-y-auto px-5 pt-2 pb-5 -outline-offset-2! max-roomy:border-t max-roomy:px-(--gutter)"
        >
          <MemberData reviewed={reviewed} />
          <EarlierAttempts attempts={reviewed.earlierAttempts} />
        </section>
        {/* On phones the sheet takes at most half the window, so that the document stays visible. */}
        <div
          ref={panel}
          className="max-h-[75%] shrink-0 space-y-3 overflow-y-auto scroll-pb-18 border-t bg-surface px-5 py-3.5 max-roomy:sticky max-roomy:bottom-0 max-roomy:max-h-[50dvh] max-roomy:px-(--gutter) max-roomy:py-3"
        >
          <h2 className="sr-only">Decision</h2>
          {isLost && (
            <LostCaseNote isBusy={isBusy} onNext={next}>
              {lossReason}
            </LostCaseNote>
          )}
          {refusal !== null && !isPending && !isLost && !isReloaded && (
            <RefusalNote onReload={staleVersion === undefined ? undefined : prolong} isReloading={isReloading}>
              {refusal}
            </RefusalNote>
          )}
          <ReservationStatus claimed={claimed} waiting={waiting} isReserved={!isLost} />
          {form === null ? (
            <DecisionButtons
              canDecide={canDecide}
              isBusy={isBusy}
              returnFocusTo={returnFocusTo}
              onChoose={choose}
              onNext={next}
            />
          ) : (
            <DecisionForm
              key={form}
              action={form}
              user={user}
              typed={typed}
              onType={setTyped}
              doubts={listDoubts(reviewed)}
              unseen={unseen}
              warning={warning}
              canDecide={canDecide}
              isPending={isBusy}
              onConfirm={confirm}
              onCancel={cancel}
            />
          )}
        </div>
      </div>
    </section>
  )
}
