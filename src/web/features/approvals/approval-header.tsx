import { Ban, Check, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Approval } from '#contract/schemas/approvals.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Note } from '#web/ui/note.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { TypeAheadBuffer } from '#web/ui/type-ahead-buffer.tsx'
import { usePrefetch } from '#web/ui/use-prefetch.ts'
import { StateBadge } from './columns.tsx'
import type { Decision } from './decision-dialog.tsx'

/** What a request is about, with a link where it has a page. */
function TargetLink({ target: { type, id, name } }: Pick<Approval, 'target'>) {
  const text = <bdi className="wrap-anywhere">{name}</bdi>
  switch (type) {
    case 'order':
      return (
        <Link {...paths.order(id)} className="link-reference">
          {text}
        </Link>
      )
    case 'user':
      return (
        <Link {...paths.member(id)} className="link-reference">
          {text}
        </Link>
      )
    case 'bank_line':
      return (
        <Link {...paths.bank({ line: id })} className="link-reference">
          {text}
        </Link>
      )
    case 'token':
    case 'bank_policy':
    case 'admin':
    case 'approval_rule':
      return text
  }
}

const DecisionDialog = lazy(() => import('./decision-dialog.tsx'))

interface ApprovalHeaderProps {
  approval: Approval
  refresh: () => Promise<boolean>
}

/** What is requested, its state, and what the operator may do with it. The action is the page's h1. */
export function ApprovalHeader({ approval, refresh }: ApprovalHeaderProps) {
  const [deciding, setDeciding] = useState<{ decision: Decision; approval: Approval } | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const { state, isOwn, canDecide, approvalProblem } = approval
  const canWithdraw = isOwn && state === 'open'
  const close = () => setDeciding(null)
  const open = (decision: Decision) => ({
    'aria-haspopup': 'dialog' as const,
    onClick: () => setDeciding({ decision, approval }),
  })
  usePrefetch(canDecide || canWithdraw, DecisionDialog)
  return (
    <>
      <div className="mb-5 flex min-w-0 items-center gap-4 max-md:flex-wrap max-md:gap-3">
        <div className="min-w-0 flex-1 max-md:basis-full">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
            <p className="min-w-0 text-16 font-semibold">
              <TargetLink target={approval.target} />
            </p>
            <StateBadge state={state} />
          </div>
          <p className="mt-0.5 text-13 wrap-anywhere text-quiet">
            <Standing approval={approval} />
          </p>
        </div>
        <div className="flex flex-wrap justify-end gap-2 max-md:justify-start">
          <RefreshButton refresh={refresh} done="The request is up to date." />
          {canWithdraw && (
            <ChangeButton {...open('withdraw')}>
              <Undo2 aria-hidden />
              Withdraw
            </ChangeButton>
          )}
          {canDecide && (
            <ChangeButton variant="danger" {...open('decline')}>
              <Ban aria-hidden />
              Decline
            </ChangeButton>
          )}
          {canDecide && approvalProblem === null && (
            <ChangeButton variant="primary" {...open('approve')}>
              <Check aria-hidden />
              Approve
            </ChangeButton>
          )}
        </div>
      </div>
      {approvalProblem !== null && (
        <Note tone="warning" role="note" className="mb-4">
          Nobody can approve this: {approvalProblem}.
        </Note>
      )}
      {link !== null && <InvitationLink link={link} />}
      <LazyBoundary fallback={<TypeAheadBuffer />} onFailure={close}>
        {deciding && <DecisionDialog {...deciding} onLink={setLink} onClose={close} />}
      </LazyBoundary>
    </>
  )
}

/** What the request waits for, or whose it was. */
function Standing({ approval: { state, isOwn, canDecide, requestedBy, approvalProblem } }: { approval: Approval }) {
  if (state !== 'open')
    return (
      <>
        Requested by <bdi>{requestedBy}</bdi>.
      </>
    )
  if (isOwn) return 'You have requested this. Another operator has to approve it.'
  if (approvalProblem !== null) return 'Nothing is changed.'
  return canDecide ? 'Nothing is changed until you approve it.' : 'An operator who may do this has to approve it.'
}

/** The link of an approved invitation. Nobody can see it again. */
const InvitationLink = ({ link }: { link: string }) => (
  <Note role="alert" className="mb-4">
    Hand this link over to the invited operator alone. It is shown this once, and anyone who opens it sets the password.
    <span className="mt-1.5 flex items-center gap-1">
      <code className="hash-text min-w-0 break-all">{link}</code>
      <CopyButton text={link} label="Copy link" />
    </span>
  </Note>
)
