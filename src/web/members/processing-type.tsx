import type { ListedSubmission } from '#contract/schemas/kyc-reviews.ts'
import { MissingValue } from '#web/ui/section.tsx'

/** Whether a submission was decided by hand or automatically. */
export function ProcessingType({ submission }: { submission: Pick<ListedSubmission, 'result' | 'autoProcessed'> }) {
  if (submission.result === 'under_review') return <MissingValue>Not yet</MissingValue>
  return submission.autoProcessed ? 'Auto' : 'Manual'
}
