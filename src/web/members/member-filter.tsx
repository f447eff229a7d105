import { useSearch } from '@tanstack/react-router'
import { platformIdForm } from '#contract/common.ts'
import { displayName } from '#contract/users.ts'
import { FilterChip } from '#web/table/filter-chip.tsx'

/** The member whose rows alone a list shows, as the address bar names them; what no member can be is no filter. */
export function useMemberFilter(): string | undefined {
  const { userId }: { userId?: unknown } = useSearch({ strict: false })
  return typeof userId === 'string' && platformIdForm.test(userId) ? userId : undefined
}

interface MemberChipProps {
  userId: string
  /** From a row of theirs; without one the id stands. */
  member: Parameters<typeof displayName>[0] | undefined
}

export const MemberChip = ({ userId, member }: MemberChipProps) => (
  <FilterChip label={`Of ${member ? displayName(member) : userId}`} parameter="userId" />
)
