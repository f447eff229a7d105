import type { ListedSubmission } from '#contract/schemas/kyc-reviews.ts'
import { Missing } from '#web/ui/section.tsx'

/** Who decided a submission; one that is still under review nobody has. */
export function Processing({ of }: { of: Pick<ListedSubmission, 'result' | 'autoProcessed'> }) {
  if (of.result === 'under_review') return <Missing>Not yet</Missing>
  return of.autoProcessed ? 'Auto' : 'Manual'
}
