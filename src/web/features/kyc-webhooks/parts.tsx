import { CircleCheck, CircleX } from 'lucide-react'
import type { WebhookLog } from '#contract/schemas/kyc-webhooks.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Product 7.7: success or failed. */
export const OutcomeBadge = ({ success }: { success: boolean }) =>
  success ? (
    <Badge tone="success" icon={CircleCheck}>
      Success
    </Badge>
  ) : (
    <Badge tone="danger" icon={CircleX}>
      Failed
    </Badge>
  )

/** A link to the member, truncated where the id is too long. */
export const Member = ({ userId }: { userId: string }) => (
  <Link {...paths.member(userId)} title={userId} className="hash-text hit-line block truncate font-medium link-subject">
    {userId}
  </Link>
)

/** The attempt of the member, and which try at sending it this is. */
export const describeTry = ({ attemptNumber, tryNumber }: WebhookLog) => `Attempt ${attemptNumber}, try ${tryNumber}`

export const describeStatus = ({ httpStatus }: WebhookLog) => (httpStatus === null ? 'No answer' : `HTTP ${httpStatus}`)

export const formatLatency = ({ latencyMs }: WebhookLog) => latencyMs !== null && `${formatCount(latencyMs)} ms`
