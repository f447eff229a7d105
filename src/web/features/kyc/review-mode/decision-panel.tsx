import { type RefObject, useEffect, useRef } from 'react'
import { listMissingParts } from '#contract/kyc-parts.ts'
import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { cn } from '#web/lib/cn.ts'
import { describeMissing, Doubts } from '#web/reviews/doubts.tsx'
import { AnotherLookForm, AnotherLookNote } from './another-look.tsx'
import { DecisionButtons, LostCaseNote, RefusalNote, ReservationStatus } from './decision-bar.tsx'
import { DecisionForm } from './decision-form.tsx'
import { adultAge, calculateAge } from './time-spans.ts'
import type { CaseClaim, ClaimedCase } from './use-case-claim.ts'
import type { DecisionDraft } from './use-decision-draft.ts'

/** Reasons against an approval, shown before it is confirmed. */
const listDoubts = (reviewed: ReviewCase): string[] => {
  const age = reviewed.step2 && calculateAge(reviewed.step2.dateOfBirth)
  return [
    ...(age !== null && age < adultAge ? [`The member is ${age} years old.`] : []),
    ...(reviewed.verification.providerResult === 'rejected' ? ['The KYC provider says rejected.'] : []),
  ]
}

interface DecisionPanelProps {
  claimed: ClaimedCase
  caseClaim: CaseClaim
  draft: DecisionDraft
  /** Whether nobody has decided the case, as far as the list knows. */
  isWaiting: boolean
  onNext: () => void
}

/** Where a case is decided: what stands against it, the reservation, and the buttons or the form of one of them. */
export function DecisionPanel({ claimed, caseClaim, draft, isWaiting, onNext }: DecisionPanelProps) {
  const { lossReason, isReloading, prolong, openCase } = caseClaim
  const openAgain = () => openCase(claimed.reviewed.verification.id)
  const { action, isBusy, refusal, isStale } = draft
  const missing = listMissingParts(claimed.reviewed.verification.sent)
  const panel = useRef<HTMLDivElement>(null)
  useAlertsInSight(panel)
  // While a decision is being sent, its own answer says whether the case is lost.
  const isLost = lossReason !== null && !isBusy
  return (
    // On phones the sheet takes at most half the window, so that the document stays visible. Half a very low window has
    // no room for a form, which then scrolls with the page.
    <div
      ref={panel}
      className={cn(
        'max-h-[75%] shrink-0 space-y-3 overflow-y-auto scroll-pb-18 border-t bg-surface px-5 py-3.5 max-roomy:sticky max-roomy:bottom-0 max-roomy:max-h-[50dvh] max-roomy:px-(--gutter) max-roomy:py-3',
        action !== null &&
          'max-roomy:very-low:static max-roomy:very-low:max-h-none max-roomy:very-low:overflow-visible',
      )}
    >
      <h2 className="sr-only">Decision</h2>
      {isLost && (
        <LostCaseNote isBusy={isBusy} onNext={onNext} onRetry={isWaiting ? openAgain : undefined}>
          {lossReason}
        </LostCaseNote>
      )}
      {refusal !== null && !isLost && (
        <RefusalNote onReload={isStale ? prolong : undefined} isReloading={isReloading}>
          {refusal}
        </RefusalNote>
      )}
      <ReservationStatus claimed={claimed} isReserved={!isLost} />
      {action === null && <Doubts doubts={describeMissing(missing)} secondPress={draft.secondPress} />}
      {action === null && <AnotherLookNote verification={claimed.reviewed.verification} draft={draft} />}
      {action === null ? (
        <DecisionButtons draft={draft} onNext={onNext} />
      ) : action === 'look' ? (
        <AnotherLookForm verification={claimed.reviewed.verification} draft={draft} />
      ) : (
        <DecisionForm
          key={action}
          action={action}
          member={claimed.reviewed.user}
          doubts={listDoubts(claimed.reviewed)}
          missing={missing}
          draft={draft}
        />
      )}
    </div>
  )
}

/** Scrolls to an alert that has just appeared within `panel`, so that it can be read in a low window too. */
function useAlertsInSight(panel: RefObject<HTMLElement | null>): void {
  const shown = useRef('')
  useEffect(() => {
    const alert = panel.current?.querySelector('[role=alert]')
    const text = alert?.textContent ?? ''
    if (text !== shown.current) alert?.scrollIntoView({ block: 'nearest' })
    shown.current = text
  })
}
