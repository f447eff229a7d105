import { FileImage, FileX, UserRound } from 'lucide-react'
import { useState } from 'react'
import { canDecideKyc, type KycAction, kycActions, kycMove } from '#contract/kyc-moves.ts'
import { documentLabels, type SentParts } from '#contract/kyc-parts.ts'
import { kycSteps } from '#contract/kyc.ts'
import type { Member, MemberDetail } from '#contract/schemas/members.ts'
import { useWaitingActions } from '#web/approvals/approval-need.ts'
import { useDocumentViewer } from '#web/documents/use-document-viewer.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { KycBadge } from '#web/members/badges.tsx'
import { decisionLooks, kycApprovals } from '#web/reviews/decision-looks.ts'
import { MemberLinks } from '#web/reviews/member-links.tsx'
import { MissingValue, Section } from '#web/ui/section.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { formatMachineWord } from '#web/lib/words.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { Button } from '#web/ui/button.tsx'

const KycDialog = lazy(() => import('./kyc-dialog.tsx'))

/** KYC Details (product 5.4): where the member stands, the documents, and the decision. */
export function KycTab({ detail }: { detail: MemberDetail }) {
  const { user } = detail
  // The member as they were when the dialog opened. The decision is sent with that version. The dialog and its texts
  // stay when another operator decides meanwhile.
  const [deciding, setDeciding] = useState<{ action: KycAction; member: Member } | null>(null)
  const close = () => setDeciding(null)
  usePrefetch(canDecideKyc(user.kycStatus), KycDialog)
  return (
    <div className="grid grid-cols-1 items-start gap-x-10 gap-y-6 wide:grid-cols-2 wide:*:grid wide:*:grid-cols-1 wide:*:gap-6">
      <div className="max-wide:contents">
        <Verification detail={detail} />
        {canDecideKyc(user.kycStatus) && !user.erasedAt && (
          <PermissionGate permission="kyc.decide">
            <Decision memberId={user.id} onDecide={(action) => setDeciding({ action, member: user })} />
          </PermissionGate>
        )}
      </div>
      <div className="max-wide:contents">
        <Documents member={user} />
        {!user.erasedAt && (
          <PermissionGate permission="kyc.view">
            <MemberLinks userId={user.id} />
          </PermissionGate>
        )}
      </div>
      {deciding && (
        <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
          <KycDialog {...deciding} sent={readSentParts(detail)} onClose={close} />
        </LazyBoundary>
      )}
    </div>
  )
}

/** Where the member stands, and the last decision. */
function Verification({ detail: { user, kycVerification: last } }: { detail: MemberDetail }) {
  const step = kycSteps[user.kycCurrentStep - 1]
  return (
    <Section title="Verification">
      <Facts>
        <Fact name="Status">
          <KycBadge status={user.kycStatus} />
        </Fact>
        <Fact name="Document type">
          {user.kycDocumentType ? (
            <bdi>{formatMachineWord(user.kycDocumentType)}</bdi>
          ) : (
            <MissingValue>None yet</MissingValue>
          )}
        </Fact>
        <Fact name="Current step">
          {user.kycCurrentStep}{' '}
          <MissingValue>
            of {kycSteps.length}
            {step && `, ${step}`}
          </MissingValue>
        </Fact>
        <Fact name="Submission count">{user.kycSubmissionCount}</Fact>
        <Fact name="Rejection reason">
          {last?.rejectionReason ? (
            <>
              <bdi>{last.rejectionReason}</bdi>{' '}
              {last.attemptNumber && <MissingValue>(attempt {last.attemptNumber})</MissingValue>}
            </>
          ) : (
            <MissingValue>None</MissingValue>
          )}
        </Fact>
        <Fact name="Admin notes">
          {last?.adminNotes ? <bdi>{last.adminNotes}</bdi> : <MissingValue>None</MissingValue>}
        </Fact>
        {last?.decidedAt && (
          <Fact name="Last decision">
            <Instant value={last.decidedAt} />
            {last.decidedBy && (
              <MissingValue>
                {' '}
                by <bdi>{last.decidedBy}</bdi>
              </MissingValue>
            )}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}

/** A reset is the quietest action, so its button does not stand out. */
const variants = { approve: 'primary', reject: 'danger', reset: 'default' } as const

/** Offered whenever the status is not approved (product 7.1), but for what waits for an approval. */
function Decision({ memberId, onDecide }: { memberId: string; onDecide: (action: KycAction) => void }) {
  const waiting = useWaitingActions('user', memberId)
  const offered = kycActions.filter((action) => !waiting.has(kycApprovals[action]))
  return (
    <Section title="Decision" className="max-wide:order-1">
      <p className="mb-3 text-13 text-quiet">
        Approving marks KYC as completed and assigns a membership id. Resetting returns the member to Pending, to submit
        again.
      </p>
      <div className="flex flex-wrap gap-2">
        {offered.map((action) => {
          const { icon: Icon } = decisionLooks[action]
          return (
            <ChangeButton key={action} variant={variants[action]} onClick={() => onDecide(action)}>
              <Icon aria-hidden />
              {kycMove(action).button}
            </ChangeButton>
          )
        })}
      </div>
    </Section>
  )
}

/** The three uploads. Pictures load only on request, since each view of identity papers is audited (product 6.9). */
function Documents({ member }: { member: Member }) {
  const { view, viewer } = useDocumentViewer()
  const documents = [
    { label: documentLabels.front, path: member.kycFrontDocumentUrl, icon: FileImage },
    { label: documentLabels.back, path: member.kycBackDocumentUrl, icon: FileImage },
    { label: documentLabels.selfie, path: member.kycSelfieUrl, icon: UserRound },
  ]
  const among = documents.flatMap(({ label, path }) => (path ? [{ label, path }] : []))
  return (
    <Section title="Uploaded documents">
      <ul className="grid gap-3 md:grid-cols-3">
        {documents.map(({ label, path, icon }) => {
          const Icon = path ? icon : FileX
          return (
            <li key={label} className="overflow-hidden rounded-m border">
              <div className="grid h-24 place-content-center justify-items-center gap-1.5 bg-canvas text-12 text-quiet">
                <Icon aria-hidden className="size-6" strokeWidth={1.5} />
                {path ? 'Uploaded' : 'Not uploaded'}
              </div>
              <div className="flex min-h-10 items-center gap-2 border-t py-1.5 pr-1.5 pl-3 text-13">
                <span className="min-w-0 flex-1 truncate" title={label}>
                  {label}
                </span>
                <PermissionGate permission="documents.view">
                  <Button
                    size="small"
                    aria-label={`View ${label}`}
                    onClick={() => view({ member, label, path, among })}
                  >
                    View
                  </Button>
                </PermissionGate>
              </div>
            </li>
          )
        })}
      </ul>
      {viewer}
    </Section>
  )
}

/** What was sent of a member's latest submitted attempt. Null where there is none, and after a reset. */
function readSentParts(detail: MemberDetail): SentParts | null {
  const [latest] = detail.submissionHistory.toSorted((a, b) => b.attemptNumber - a.attemptNumber)
  if (!latest || latest.result === 'pending') return null
  const isOf = ({ attemptNumber }: { attemptNumber: number }) => attemptNumber === latest.attemptNumber
  const step3 = detail.step3History.find(isOf)
  return {
    personalData: detail.step2History.some(isOf),
    documentType: step3?.documentType ?? null,
    front: step3 !== undefined,
    back: typeof step3?.backDocumentUrl === 'string',
    selfie: detail.step4History.some(isOf),
  }
}
