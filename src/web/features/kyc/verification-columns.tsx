import { Link } from '@tanstack/react-router'
import type { ReviewAction, Verification } from '#contract/kyc-reviews.ts'
import { displayName } from '#contract/users.ts'
import { ResultBadge, StepBadge } from '#web/members/badges.tsx'
import { paths } from '#web/paths.ts'
import { columnsOf } from '#web/table/columns.ts'
import { Button } from '#web/ui/button.tsx'
import { emailLook, SubmittedCell, submittedLook, userLook, WordsCell } from './cells.tsx'
import { reviewOf } from './review-place.ts'

/** Where it stands, and who has it open or decided it. */
function Status({ verification: { status, claimedBy, decidedBy, rejectionReason } }: { verification: Verification }) {
  const isPending = status === 'pending'
  const by = isPending ? claimedBy : decidedBy
  return (
    <span
      title={rejectionReason ?? undefined}
      className="block min-w-0 max-md:flex max-md:flex-wrap max-md:items-center max-md:justify-end max-md:gap-x-2"
    >
      {isPending ? <ResultBadge result="pending" /> : <StepBadge status={status} />}
      {by !== null && (
        <span title={by} className="block truncate text-12 leading-4.5 text-quiet">
          {isPending ? (
            <>
              <bdi>{by}</bdi> is reviewing
            </>
          ) : (
            <>
              by <bdi>{by}</bdi>
            </>
          )}
        </span>
      )}
    </span>
  )
}

const column = columnsOf<Verification>()

/** The columns of Verifications (SPEC section 2); `onDecide` opens the dialog. */
export const verificationColumns = (onDecide: (action: ReviewAction, verification: Verification) => void) => [
  column.display(userLook),
  column.display(emailLook),
  column.display({
    id: 'status',
    header: 'Status',
    cell: ({ row: { original } }) => <Status verification={original} />,
    meta: { width: '128px', narrow: 'labelled' },
  }),
  column.accessor('kycScore', {
    header: 'KYC Score',
    cell: ({ getValue }) => <Score score={getValue<number | null>()} />,
    meta: { width: '96px', narrow: 'labelled' },
  }),
  column.accessor('documentType', {
    header: 'Document Type',
    cell: ({ getValue }) => <WordsCell value={getValue<string | null>()} />,
    meta: { width: 'clamp(124px, 100vw - 1282px, 158px)', narrow: 'labelled' },
  }),
  column.accessor('nationality', {
    header: 'Nationality',
    cell: ({ getValue }) => <WordsCell value={getValue<string | null>()} />,
    meta: { width: 'clamp(100px, 100vw - 1324px, 116px)', narrow: 'labelled' },
  }),
  column.accessor('submittedAt', {
    ...submittedLook,
    cell: ({ getValue }) => <SubmittedCell at={getValue()} />,
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => <Actions verification={original} onDecide={onDecide} />,
    meta: { width: '240px', align: 'right', narrow: 'end' },
  }),
]

const Score = ({ score }: { score: number | null }) =>
  score === null ? (
    <span className="whitespace-nowrap text-quiet">Not scored</span>
  ) : (
    <span className="tabular-nums">{score}</span>
  )

interface ActionsProps {
  verification: Verification
  onDecide: (action: ReviewAction, verification: Verification) => void
}

/** A pending one can be reviewed, approved or rejected (SPEC section 4); of a decided one the member is left to see. */
function Actions({ verification, onDecide }: ActionsProps) {
  const name = displayName(verification.user)
  return (
    <span className="flex justify-end gap-1.5">
      {verification.status === 'pending' ? (
        <>
          <Button asChild size="small">
            <Link {...reviewOf(verification.id)} aria-label={`Review ${name}`}>
              Review
            </Link>
          </Button>
          <Button size="small" aria-label={`Approve ${name}`} onClick={() => onDecide('approve', verification)}>
            Approve
          </Button>
          <Button
            size="small"
            variant="hover-danger"
            aria-label={`Reject ${name}`}
            onClick={() => onDecide('reject', verification)}
          >
            Reject
          </Button>
        </>
      ) : (
        <Button asChild size="small">
          <Link {...paths.user(verification.userId)} aria-label={`View ${name}`}>
            View
          </Link>
        </Button>
      )}
    </span>
  )
}
