import { Ban } from 'lucide-react'
import { displayName } from '#contract/users.ts'
import { Note } from '#web/ui/note.tsx'

/** What is known of a member's ban wherever their KYC or money is decided. */
interface BanFields {
  kycBanned: boolean
  bannedReason: string | null
}

/** Beside a member's name or e-mail in a list; the reason is on hover. */
export const BannedMark = ({ member: { kycBanned, bannedReason } }: { member: BanFields }) =>
  kycBanned && (
    <span
      title={bannedReason ?? undefined}
      className="inline-flex shrink-0 items-center gap-1 text-12 font-medium text-danger-ink"
    >
      <Ban aria-hidden strokeWidth={2} className="size-3" />
      Banned
    </span>
  )

/** In the dialog that decides on a banned member's KYC or money: said, and left to the operator. */
export function BannedNote({
  member,
  className,
}: {
  member: BanFields & Parameters<typeof displayName>[0]
  className?: string
}) {
  if (!member.kycBanned) return null
  return (
    <Note tone="warning" {...(className && { className })}>
      <bdi>{displayName(member)}</bdi> is banned: <bdi>{member.bannedReason?.replace(/\.$/, '')}</bdi>. You can still
      decide.
    </Note>
  )
}
