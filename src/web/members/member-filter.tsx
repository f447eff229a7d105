import { displayName } from '#contract/members.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'

interface MemberChipProps {
  userId: string
  /** Taken from one of the member's rows. Without one the id is shown. */
  member: Parameters<typeof displayName>[0] | undefined
}

export const MemberChip = ({ userId, member }: MemberChipProps) => (
  <FilterChip label={`Of ${member ? displayName(member) : userId}`} parameter="userId" />
)
