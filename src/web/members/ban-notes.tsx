import { Ban } from 'lucide-react'
import { displayName } from '#contract/members.ts'
import { Note } from '#web/ui/note.tsx'

/** The fields of a member's ban, in whatever shape the member comes. */
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

/** A warning in dialogs that decide on a banned member's KYC or money. The operator may still decide. */
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
