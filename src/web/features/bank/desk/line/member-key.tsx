import type { CandidateOrder } from '#contract/schemas/bank-candidates.ts'
import { cn } from '#web/lib/cn.ts'

interface MemberKeyProps {
  order: Pick<CandidateOrder, 'userEmail' | 'userId'>
  isStrong?: boolean
}

/** E-mail and id of a member: two members may have one name. */
export const MemberKey = ({ order: { userEmail, userId }, isStrong = false }: MemberKeyProps) => (
  <span className={cn('block text-12 wrap-anywhere', !isStrong && 'text-quiet')}>
    <bdi>{userEmail}</bdi> · <span className="sr-only">member </span>
    <bdi>{userId}</bdi>
  </span>
)
