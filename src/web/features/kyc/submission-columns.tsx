import { Link } from '@tanstack/react-router'
import type { ListedSubmission } from '#contract/kyc-reviews.ts'
import { displayName } from '#contract/users.ts'
import { ResultBadge } from '#web/members/badges.tsx'
import { paths } from '#web/paths.ts'
import { columnsOf } from '#web/table/columns.ts'
import { Button } from '#web/ui/button.tsx'
import { attemptLook, EmailCell, MemberCell, SubmittedCell, submittedLook } from './cells.tsx'

const column = columnsOf<ListedSubmission>()

/** The columns of KYC Submissions (SPEC section 2); `onApprove` opens the dialog. */
export const submissionColumns = (onApprove: (submission: ListedSubmission) => void) => [
  column.display({
    id: 'user',
    header: 'User',
    cell: ({ row: { original } }) => <MemberCell user={original.user} />,
    meta: { min: '180px', narrow: 'full' },
  }),
  column.display({
    id: 'email',
    header: 'Email',
    cell: ({ row: { original } }) => <EmailCell user={original.user} />,
    meta: { min: '168px', narrow: 'full' },
  }),
  column.accessor('attemptNumber', attemptLook),
  column.accessor('result', {
    header: 'Result',
    cell: ({ getValue }) => <ResultBadge result={getValue()} />,
    meta: { width: '136px', narrow: 'labelled' },
  }),
  column.accessor('autoProcessed', {
    header: 'Processing',
    cell: ({ getValue }) => (getValue() ? 'Auto' : 'Manual'),
    meta: { width: '100px', narrow: 'labelled' },
  }),
  column.accessor('caseId', {
    header: 'Case id',
    cell: ({ getValue }) => (
      <span title={getValue()} className="block min-w-0 truncate hash-text">
        {getValue()}
      </span>
    ),
    meta: { width: '152px', hideBelowWide: true, narrow: 'labelled' },
  }),
  column.accessor('submittedAt', {
    ...submittedLook,
    cell: ({ getValue }) => <SubmittedCell at={getValue()} />,
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => {
      const name = displayName(original.user)
      return (
        <span className="flex justify-end gap-1.5">
          <Button asChild size="small">
            <Link {...paths.user(original.userId)} aria-label={`View ${name}`}>
              View
            </Link>
          </Button>
          {original.canApprove && (
            <Button size="small" aria-label={`Approve ${name}`} onClick={() => onApprove(original)}>
              Approve
            </Button>
          )}
        </span>
      )
    },
    meta: { width: '168px', align: 'right', narrow: 'end' },
  }),
]
