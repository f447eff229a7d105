import type { ListedSubmission } from '#contract/schemas/kyc-reviews.ts'
import { MissingValue } from '#web/ui/section.tsx'

/** Who decided a submission; one that is still under review nobody has. */
export function ProcessingType({ submission }: { submission: Pick<ListedSubmission, 'result' | 'autoProcessed'> }) {
  if (submission.result === 'under_review') return <MissingValue>Not yet</MissingValue>
  return submission.autoProcessed ? 'Auto' : 'Manual'
}
