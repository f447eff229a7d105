import { ArrowLeft, Keyboard, X } from 'lucide-react'
import { displayName } from '#contract/members.ts'
import { moveFocus } from '#web/lib/focus-successor.ts'
import { Link } from '#web/link.tsx'
import { BannedBadge, KycBadge } from '#web/members/badges.tsx'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { KeyHint } from '#web/ui/key-hint.tsx'
import type { ClaimedCase } from './use-case-claim.ts'

export const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <Button variant="ghost" aria-keyshortcuts="Escape" onClick={onClose} className="-mr-2">
    <X aria-hidden />
    Close
    <KeyHint>Esc</KeyHint>
  </Button>
)

interface CaseBarProps {
  claimed: ClaimedCase
  onPrevious: () => void
  /** Shows the list of keys. */
  onKeys: () => void
  onClose: () => void
}

/** Names the member of the case, leads to the one before, and closes review mode. */
export function CaseBar({ claimed, onPrevious, onKeys, onClose }: CaseBarProps) {
  const { user, verification } = claimed.reviewed
  return (
    <div className="gutter flex min-h-12 min-w-0 items-center gap-3 border-b py-1.5">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5">
        <h2 ref={moveFocus} tabIndex={-1} className="max-w-full min-w-0 truncate text-16! outline-none">
          <Link
            {...paths.member(user.id, { tab: 'kyc' })}
            title={displayName(user)}
            dir="auto"
            className="link-subject"
          >
            {displayName(user)}
          </Link>
        </h2>
        <span className="flex gap-1.5">
          <KycBadge status={user.kycStatus} />
          {user.kycBanned && <BannedBadge reason={user.bannedReason} />}
        </span>
        <span className="min-w-0 text-13 text-quiet">
          Attempt {verification.attemptNumber}, submitted <Instant value={verification.submittedAt} />
        </span>
      </div>
      <div className="flex max-md:hidden">
        <IconButton label="Previous case" aria-keyshortcuts="P" onClick={onPrevious}>
          <ArrowLeft aria-hidden />
        </IconButton>
        <IconButton label="Keys" aria-keyshortcuts="?" onClick={onKeys}>
          <Keyboard aria-hidden />
        </IconButton>
      </div>
      <CloseButton onClose={onClose} />
    </div>
  )
}
