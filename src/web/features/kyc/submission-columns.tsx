import type { ListedSubmission } from '#contract/schemas/kyc-reviews.ts'
import { displayName } from '#contract/members.ts'
import { Link } from '#web/link.tsx'
import { ResultBadge, ProcessingType } from '#web/members/badges.tsx'
import { paths } from '#web/paths.ts'
import { useCan } from '#web/use-can.ts'
import { buttonsWidth, createColumns } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Hash } from '#web/ui/hash.tsx'
import { emailColumn, SubmittedCell, submittedColumn, memberColumn } from './cells.tsx'
import { linkToReview } from './review-link.ts'

const column = createColumns<ListedSubmission>()

/** The columns of KYC Submissions (product 5.9); `onApprove` opens the dialog. */
export const submissionColumns = (onApprove: (submission: ListedSubmission) => void) => [
  column.display(memberColumn),
  column.display(emailColumn),
  column.accessor('attemptNumber', { header: 'Attempt', meta: { width: '48px', hideBelow: 880, narrow: 'hidden' } }),
  column.accessor('result', {
    header: 'Result',
    cell: ({ getValue }) => <ResultBadge result={getValue()} />,
    meta: { width: '112px', narrow: 'aside' },
  }),
  column.accessor('autoProcessed', {
    header: 'Processing',
    cell: ({ row: { original } }) => <ProcessingType submission={original} />,
    meta: { width: '72px', hideBelow: 960, narrow: 'hidden' },
  }),
  column.accessor('caseId', {
    header: 'Case id',
    cell: ({ getValue }) => <Hash value={getValue()} name="case id" />,
    meta: { width: '112px', hideBelow: 740, narrow: 'hidden' },
  }),
  column.accessor('submittedAt', { ...submittedColumn, cell: ({ getValue }) => <SubmittedCell at={getValue()} /> }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => <Actions submission={original} onApprove={onApprove} />,
    meta: { width: buttonsWidth(184, 200), align: 'right', narrow: 'hidden' },
  }),
]

interface ActionsProps {
  submission: ListedSubmission
  onApprove: (submission: ListedSubmission) => void
}

/** A submission under review can be approved (product 7.1) or opened in review mode. */
function Actions({ submission, onApprove }: ActionsProps) {
  const { userId, user, verificationId } = submission
  const mayDecide = useCan('kyc.decide')
  const canApprove = mayDecide && submission.canApprove
  const name = displayName(user)
  return (
    <RowActions>
      <Button asChild size="small">
        <Link {...paths.member(userId)} tabIndex={-1} aria-label={`View ${name}`}>
          View
        </Link>
      </Button>
      {canApprove && verificationId && (
        <Button asChild size="small">
          <Link {...linkToReview(verificationId)} aria-label={`Review ${name}`}>
            Review
          </Link>
        </Button>
      )}
      {canApprove && (
        <ChangeButton size="small" aria-label={`Approve ${name}`} onClick={() => onApprove(submission)}>
          Approve
        </ChangeButton>
      )}
    </RowActions>
  )
}
