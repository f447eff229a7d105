import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ReviewAction } from '#contract/kyc-reviews.ts'
import type { ReviewCase, Verification } from '#contract/schemas/kyc-reviews.ts'
import { userRoutes } from '#contract/users.ts'
import type { User } from '#contract/schemas/users.ts'
import { queryOf } from '#web/api.ts'
import { cn } from '#web/lib/cn.ts'
import { verificationsOf, waitingQuery } from '#web/reviews/queries.ts'
import { useUnsaved } from '#web/ui/use-unsaved.ts'
import { CaseBar } from './case-bar.tsx'
import { Choices, Lost, Refused, Standing } from './decision-bar.tsx'
import { DecisionForm, isComplete } from './decision-form.tsx'
import { EarlierAttempts } from './earlier-attempts.tsx'
import { LightTable, type CaseDocument } from './light-table.tsx'
import { TypedData } from './typed-data.tsx'
import { useUnseenDocuments } from './unseen-documents.ts'
import { useDecision } from './use-decision.ts'
import { useFormKeys } from './use-form-keys.ts'
import type { Held, HeldCase } from './use-held-case.ts'
import { useKeys } from './use-keys.ts'
import { useAlertsInSight } from './use-alerts-in-sight.ts'
import { useTextKeys } from './use-text-keys.ts'
import { useSignOfLife } from './use-sign-of-life.ts'
import { useWarning } from './use-warning.ts'
import { adultAge, ageOf } from './words.ts'

const documentsOf = ({ step3, step4 }: ReviewCase): CaseDocument[] =>
  [
    { label: 'Identity front', hotkey: 'F', path: step3?.frontDocumentUrl },
    { label: 'Identity back', hotkey: 'B', path: step3?.backDocumentUrl },
    { label: 'Selfie', hotkey: 'S', path: step4?.selfieUrl },
  ].flatMap(({ path, ...rest }) => (path ? [{ ...rest, path }] : []))

/** What the operator is told once more before they approve. */
const doubtsOf = (reviewed: ReviewCase): string[] => {
  const age = reviewed.step2 && ageOf(reviewed.step2.dateOfBirth)
  return [
    ...(age !== null && age < adultAge ? [`The member is ${age} years old.`] : []),
    ...(reviewed.verification.providerResult === 'rejected' ? ['The KYC provider says rejected.'] : []),
  ]
}

/** A toast stands over the documents, never over the decision on the next case. */
function useToastsAside() {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--toasts-right', '384px')
    return () => void style.removeProperty('--toasts-right')
  }, [])
}

/** Calls `recheck` when the live stream tells that somebody else has decided on the member meanwhile. */
function useDecidedElsewhere({ id, kycStatus }: User, recheck: (() => void) | false) {
  const now = useQuery(queryOf(userRoutes.detail, { params: { id } })).data?.user
  const isDecided = now !== undefined && now.kycStatus !== kycStatus
  const isReady = recheck !== false
  const onDecided = useEffectEvent(() => recheck && recheck())
  useEffect(() => {
    if (isDecided && isReady) onDecided()
  }, [isDecided, isReady])
}

/** Calls `recheck` when the live stream tells that the KYC provider has said something of the case meanwhile. */
function useSaidMeanwhile({ id, user, version }: Verification, recheck: (() => void) | false) {
  const found = useQuery(verificationsOf(user.email)).data?.verifications.find((each) => each.id === id)
  const isNews = found !== undefined && found.status === 'pending' && found.version > version
  const isReady = recheck !== false
  const onNews = useEffectEvent(() => recheck && recheck())
  useEffect(() => {
    if (isNews && isReady) onNews()
  }, [isNews, isReady])
}

interface OpenCaseProps {
  held: Held
  heldCase: HeldCase
  onClose: () => void
}

/** One case under review; what is typed lives as long as it is open. */
export function OpenCase({ held, heldCase, onClose }: OpenCaseProps) {
  const { lost, isOpening, isReloading, prolong, recheck, openFurther, passOver, setLost } = heldCase
  const { reviewed } = held
  const { user, verification } = reviewed
  const [form, setForm] = useState<ReviewAction | null>(null)
  const [cameFrom, setCameFrom] = useState<ReviewAction | null>(null)
  const [typed, setTyped] = useState({ reason: '', notes: '' })
  const waiting = useQuery(waitingQuery()).data?.total ?? held.waiting
  const { decide, isPending, refusal, staleVersion } = useDecision({ onDone: openFurther, onConflict: setLost })
  const isBusy = isPending || isOpening
  // Another case is opened by the same question as the way out.
  const leaveFor = useRef(onClose)
  const leaveCase = useUnsaved({
    // Of a case that is another's now nothing can be sent any more.
    isEdited: () => lost === null && (typed.reason.trim() !== '' || typed.notes.trim() !== ''),
    isSending: isBusy,
    onClose: () => leaveFor.current(),
  })
  const leave = (way: () => void) => {
    leaveFor.current = way
    void leaveCase()
  }
  const close = () => leave(onClose)
  // While the decision is under way a refused prolongation only says what the decision says itself.
  const isLost = lost !== null && !isBusy
  const canDecide = lost === null
  const isMended = staleVersion !== undefined && staleVersion !== verification.version

  const canChoose = form === null && canDecide && !isBusy
  const choose = (action: ReviewAction) => canChoose && setForm(action)
  const cancel = () => {
    setCameFrom(form)
    setForm(null)
    withdraw()
  }
  const documents = documentsOf(reviewed)
  const { unseen, onShown } = useUnseenDocuments(documents)
  // An approval of what nobody has looked at is asked for twice.
  const { warning, warn, withdraw } = useWarning()
  const confirm = () => {
    if (form === null || isBusy || !canDecide || !isComplete(form, typed)) return
    if (form === 'approve' && unseen !== null && warning === 'none') return warn()
    const adminNotes = typed.notes.trim() || null
    const rejectionReason = form === 'reject' ? typed.reason.trim() : null
    decide(verification, { action: form, adminNotes, rejectionReason })
  }
  const next = () => {
    if (!isBusy) leave(passOver)
  }
  const room = useRef<HTMLElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useAlertsInSight(panel)
  useToastsAside()
  useDecidedElsewhere(user, canDecide && !isBusy && recheck)
  useSaidMeanwhile(verification, canDecide && !isBusy && recheck)
  useSignOfLife(() => {
    if (canDecide && !isBusy) prolong()
  })
  useFormKeys(room, {
    onEscape: form === null || isBusy ? close : cancel,
    // An approval is confirmed by its button alone: Ctrl and Enter after a reason typed into the wrong form approves nothing.
    onConfirm: form === 'reject' ? confirm : undefined,
  })
  useTextKeys(room, canDecide && !isBusy ? form : null)
  useKeys({
    a: () => choose('approve'),
    r: () => choose('reject'),
    n: (form === null || !canDecide) && next,
  })

  return (
    <section
      ref={room}
      aria-label="KYC review"
      aria-busy={isBusy}
      className="flex min-h-full flex-col roomy:grid roomy:h-full roomy:grid-cols-[minmax(0,1fr)_348px] roomy:grid-rows-[auto_minmax(0,1fr)] wide:grid-cols-[minmax(0,1fr)_384px]"
    >
      {/* The form names the member, and leads back by Cancel. */}
      <div className={cn('roomy:col-span-2', form !== null && 'max-md:hidden')}>
        <CaseBar reviewed={reviewed} onClose={close} />
      </div>
      <LightTable user={user} documents={documents} onShown={onShown} isShort={form !== null} />
      <div className="flex min-h-0 flex-1 flex-col max-roomy:contents roomy:border-l">
        <section
          data-scrolls
          aria-label="Entered by member, and earlier attempts"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
          tabIndex={0}
          className="min-h-0 flex-1 space-y-5 overflow-y-auto px-5 pt-2 pb-5 -outline-offset-2! max-roomy:border-t max-roomy:px-(--gutter)"
        >
          <TypedData reviewed={reviewed} />
          <EarlierAttempts attempts={reviewed.earlierAttempts} />
        </section>
        {/* On phones a sheet of half the window at most: the document stays in sight above it. */}
        <div
          ref={panel}
          className="max-h-[75%] shrink-0 space-y-3 overflow-y-auto scroll-pb-18 border-t bg-surface px-5 py-3.5 max-roomy:sticky max-roomy:bottom-0 max-roomy:max-h-[50dvh] max-roomy:px-(--gutter) max-roomy:py-3"
        >
          <h2 className="sr-only">Decision</h2>
          {isLost && (
            <Lost isBusy={isBusy} onNext={next}>
              {lost}
            </Lost>
          )}
          {refusal !== null && !isPending && !isLost && !isMended && (
            <Refused onReload={staleVersion === undefined ? undefined : prolong} isReloading={isReloading}>
              {refusal}
            </Refused>
          )}
          <Standing held={held} waiting={waiting} isHeld={!isLost} />
          {form === null ? (
            <Choices canDecide={canDecide} isBusy={isBusy} cameFrom={cameFrom} onChoose={choose} onNext={next} />
          ) : (
            <DecisionForm
              key={form}
              action={form}
              user={user}
              typed={typed}
              onType={setTyped}
              doubts={doubtsOf(reviewed)}
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
