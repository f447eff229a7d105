import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { documentLabels, listAskedDocuments, listMissingParts } from '#contract/kyc-parts.ts'
import { type DocumentKind, documentKinds } from '#contract/kyc.ts'
import type { ReviewCase, Verification } from '#contract/schemas/kyc-reviews.ts'
import { memberRoutes } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
import { buildQuery } from '#web/api.ts'
import { OpenApprovals } from '#web/approvals/approval-note.tsx'
import { cn } from '#web/lib/cn.ts'
import { describeMissing } from '#web/reviews/doubts.tsx'
import { MemberLinks } from '#web/reviews/member-links.tsx'
import { verificationsQuery } from '#web/reviews/queries.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { useUnsaved } from '#web/ui/use-unsaved.ts'
import { CaseBar } from './case-bar.tsx'
import { DecisionPanel } from './decision-panel.tsx'
import { EarlierAttempts } from './earlier-attempts.tsx'
import { type CaseDocument, DocumentComparison } from './document-comparison.tsx'
import { markableFields } from './field-marks.ts'
import { MemberData } from './member-data.tsx'
import { useUnseenDocuments } from './unseen-documents.ts'
import { type DecisionDraft, useDecisionDraft } from './use-decision-draft.ts'
import { useFormKeys, useTextKeys } from './use-form-keys.ts'
import type { CaseClaim, ClaimedCase } from './use-case-claim.ts'
import { useShortcuts } from '#web/ui/use-shortcuts.ts'
import { useActivityHeartbeat } from '#web/ui/use-activity-heartbeat.ts'

const KeysDialog = lazy(() => import('./keys-dialog.tsx'))

/** The list of keys, which is shown on request. */
function useKeysDialog() {
  const [isShown, setShown] = useState(false)
  const close = () => setShown(false)
  usePrefetch(true, KeysDialog)
  return {
    showKeys: () => setShown(true),
    keysDialog: (
      <LazyBoundary fallback={null} onFailure={close}>
        {isShown && <KeysDialog onClose={close} />}
      </LazyBoundary>
    ),
  }
}

/** The pictures of the case, and those that its type of document asks for. */
function listDocuments({ step3, step4 }: ReviewCase): CaseDocument[] {
  const asked = listAskedDocuments(step3?.documentType ?? null)
  const paths = { front: step3?.frontDocumentUrl, back: step3?.backDocumentUrl, selfie: step4?.selfieUrl }
  return documentKinds
    .map((kind) => ({ kind, label: documentLabels[kind], hotkey: hotkeys[kind], path: paths[kind] ?? null }))
    .filter(({ kind, path }) => path !== null || asked.includes(kind))
}
const hotkeys: Record<DocumentKind, string> = { front: 'F', back: 'B', selfie: 'S' }

/** Calls `recheck` when the live stream reports another operator's decision on the member. */
function useDecisionWatch({ id, kycStatus }: Member, recheck: (() => void) | false) {
  const now = useQuery(buildQuery(memberRoutes.detail, { params: { id } })).data?.user
  const isDecided = now !== undefined && now.kycStatus !== kycStatus
  const isReady = recheck !== false
  const onDecided = useEffectEvent(() => recheck && recheck())
  useEffect(() => {
    if (isDecided && isReady) onDecided()
  }, [isDecided, isReady])
}

/** Calls `recheck` when the live stream reports a new result of the KYC provider. Returns whether the case waits. */
function useProviderWatch({ id, user, version }: Verification, recheck: (() => void) | false): boolean {
  const found = useQuery(verificationsQuery(user.email)).data?.verifications.find((each) => each.id === id)
  const isNews = found !== undefined && found.status === 'pending' && found.version > version
  const isReady = recheck !== false
  const onNews = useEffectEvent(() => recheck && recheck())
  useEffect(() => {
    if (isNews && isReady) onNews()
  }, [isNews, isReady])
  return found?.status === 'pending'
}

interface OpenCaseProps {
  claimed: ClaimedCase
  caseClaim: CaseClaim
  onClose: () => void
}

/** Asks before typed text is discarded, whichever way the operator leaves the case. */
function useLeaveCase({ isEdited, isBusy }: DecisionDraft, onClose: () => void) {
  const onLeft = useRef(onClose)
  const leave = useUnsaved({ isEdited, isSending: isBusy, onClose: () => onLeft.current() })
  return (onLeave: () => void) => {
    onLeft.current = onLeave
    void leave()
  }
}

/** One case under review. Typed text lives as long as the case is open. */
export function OpenCase({ claimed, caseClaim, onClose }: OpenCaseProps) {
  const { prolong, recheck, skipCase, openPrevious } = caseClaim
  const { reviewed } = claimed
  const { user, verification } = reviewed
  const documents = listDocuments(reviewed)
  const { unseen, onShown } = useUnseenDocuments(documents)
  const gaps = [...describeMissing(listMissingParts(verification.sent)), ...unseen]
  const draft = useDecisionDraft(verification, gaps, caseClaim)
  const { action, isBusy, isReady } = draft
  const leaveCase = useLeaveCase(draft, onClose)
  const close = () => leaveCase(onClose)
  const next = () => {
    if (!isBusy) leaveCase(skipCase)
  }
  const previous = () => {
    if (!isBusy) leaveCase(openPrevious)
  }
  const { showKeys, keysDialog } = useKeysDialog()
  useDecisionWatch(user, isReady && recheck)
  const isWaiting = useProviderWatch(verification, isReady && recheck)
  useActivityHeartbeat(() => {
    if (isReady) prolong()
  })
  const container = useRef<HTMLElement>(null)
  useCaseKeys(container, draft, { close, next, previous, showKeys })
  return (
    <section
      ref={container}
      aria-label="KYC review"
      aria-busy={isBusy}
      className="flex min-h-full flex-col roomy:grid roomy:h-full roomy:grid-cols-[minmax(0,1fr)_348px] roomy:grid-rows-[auto_minmax(0,1fr)] wide:grid-cols-[minmax(0,1fr)_384px]"
    >
      {/* Hidden on phones while the form is open, which names the member and has Cancel. */}
      <div className={cn('roomy:col-span-2', action !== null && 'max-md:hidden')}>
        <CaseBar claimed={claimed} onPrevious={previous} onKeys={showKeys} onClose={close} />
      </div>
      <DocumentComparison member={user} documents={documents} onShown={onShown} isShort={action !== null} />
      <div className="flex min-h-0 flex-1 flex-col max-roomy:contents roomy:border-l">
        <section
          data-scrolls
          aria-label="Entered by member, in common with others, earlier attempts"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too
          tabIndex={0}
          className={cn(
            'min-h-0 flex-1 space-y-5 overflow-y-auto px-5 pt-2 pb-5 -outline-offset-2! max-roomy:border-t max-roomy:px-(--gutter)',
            // A form that scrolls with the page stands beside the document.
            action !== null && 'max-roomy:very-low:order-1',
          )}
        >
          <OpenApprovals type="user" id={user.id} />
          <MemberData reviewed={reviewed} draft={draft} />
          <MemberLinks userId={user.id} />
          <EarlierAttempts attempts={reviewed.earlierAttempts} />
        </section>
        <DecisionPanel {...{ claimed, caseClaim, draft, isWaiting }} onNext={next} />
      </div>
      {keysDialog}
    </section>
  )
}

/** Escape goes one step back, letters are buttons, digits mark fields, and an open form gets what is typed. */
function useCaseKeys(
  container: RefObject<HTMLElement | null>,
  { action, canDecide, isBusy, isReady, choose, cancel, confirm, toggleMark }: DecisionDraft,
  { close, next, previous, showKeys }: Record<'close' | 'next' | 'previous' | 'showKeys', () => void>,
) {
  useFormKeys(container, {
    onEscape: action === null || isBusy ? close : cancel,
    // Only its button confirms an approval. Ctrl with Enter after a reason typed into the wrong form approves nothing.
    onConfirm: action === 'reject' || action === 'look' ? confirm : undefined,
  })
  useTextKeys(container, isReady ? action : null)
  useShortcuts({
    a: () => choose('approve'),
    r: () => choose('reject'),
    q: () => choose('look'),
    n: (action === null || !canDecide) && next,
    p: (action === null || !canDecide) && previous,
    '?': action === null && showKeys,
    ...Object.fromEntries(
      markableFields.map((field, index) => [index + 1, action === null && (() => toggleMark(field))]),
    ),
  })
}
