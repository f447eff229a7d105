import { useSearch } from '@tanstack/react-router'
import { platformIdForm } from '#contract/common.ts'
import { displayName } from '#contract/members.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'

/** The member filter from the address bar. An impossible id is not a filter. */
export function useMemberFilter(): string | undefined {
  const { userId }: { userId?: unknown } = useSearch({ strict: false })
  return typeof userId === 'string' && platformIdForm.test(userId) ? userId : undefined
}

interface MemberChipProps {
  userId: string
  /** Taken from one of the member's rows. Without one the id is shown. */
  member: Parameters<typeof displayName>[0] | undefined
}

export const MemberChip = ({ userId, member }: MemberChipProps) => (
  <FilterChip label={`Of ${member ? displayName(member) : userId}`} parameter="userId" />
)
