import { kycMove } from '#contract/kyc-moves.ts'
import { type ReviewAction, reviewActions } from '#contract/kyc-reviews.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { displayName } from '#contract/members.ts'
import { Link } from '#web/link.tsx'
import { ResultBadge, StepBadge } from '#web/members/badges.tsx'
import { paths } from '#web/paths.ts'
import { useCan } from '#web/use-can.ts'
import { buttonsWidth, createColumns } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { emailColumn, SubmittedCell, submittedColumn, memberColumn, WordsCell } from './cells.tsx'
import { linkToReview } from './review-link.ts'

/** Where it stands, and who has it open or decided it. */
function Status({ verification }: { verification: Verification }) {
  const { status, claimedBy, decidedBy, rejectionReason, anotherLook } = verification
  const isPending = status === 'pending'
  const by = isPending ? claimedBy : decidedBy
  return (
    <span
      title={rejectionReason ?? undefined}
      className="block min-w-0 blocks:flex blocks:flex-wrap blocks:items-center blocks:justify-end blocks:gap-x-2"
    >
      {isPending ? <ResultBadge result="pending" /> : <StepBadge status={status} />}
      {anotherLook && (
        <span title={anotherLook.note} className="block truncate text-12 leading-4.5 text-quiet">
          <bdi>{anotherLook.by}</bdi> asks for another look
        </span>
      )}
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

const column = createColumns<Verification>()

/** The columns of Verifications (product 5.9); `onDecide` opens the dialog. */
export const verificationColumns = (onDecide: (action: ReviewAction, verification: Verification) => void) => [
  column.display(memberColumn),
  column.display(emailColumn),
  column.display({
    id: 'status',
    header: 'Status',
    cell: ({ row: { original } }) => <Status verification={original} />,
    meta: { min: '108px', narrow: 'aside' },
  }),
  column.accessor('kycScore', {
    header: 'KYC Score',
    cell: ({ getValue }) => <Score score={getValue<number | null>()} />,
    meta: { width: '68px', hideBelow: 740, narrow: 'hidden' },
  }),
  column.accessor('documentType', {
    header: 'Document Type',
    cell: ({ getValue }) => <WordsCell value={getValue<string | null>()} />,
    meta: { min: '106px', hideBelow: 880, narrow: 'hidden' },
  }),
  column.accessor('nationality', {
    header: 'Nationality',
    cell: ({ getValue }) => <WordsCell value={getValue<string | null>()} />,
    meta: { min: '84px', hideBelow: 1180, narrow: 'hidden' },
  }),
  column.accessor('submittedAt', { ...submittedColumn, cell: ({ getValue }) => <SubmittedCell at={getValue()} /> }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => <Actions verification={original} onDecide={onDecide} />,
    meta: { width: buttonsWidth(196, 206), align: 'right', narrow: 'hidden' },
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

/** A pending one can be reviewed, approved or rejected (product 7.1); of a decided one the member is left to see. */
function Actions({ verification, onDecide }: ActionsProps) {
  const name = displayName(verification.user)
  const mayDecide = useCan('kyc.decide')
  return (
    <RowActions>
      {mayDecide && verification.status === 'pending' ? (
        <>
          <Button asChild size="small">
            <Link {...linkToReview(verification.id)} aria-label={`Review ${name}`}>
              Review
            </Link>
          </Button>
          {reviewActions.map((action) => (
            <ChangeButton
              key={action}
              size="small"
              variant={action === 'reject' ? 'hover-danger' : 'default'}
              aria-label={`${kycMove(action).button} ${name}`}
              onClick={() => onDecide(action, verification)}
            >
              {kycMove(action).button}
            </ChangeButton>
          ))}
        </>
      ) : (
        <Button asChild size="small">
          <Link {...paths.member(verification.userId)} tabIndex={-1} aria-label={`View ${name}`}>
            View
          </Link>
        </Button>
      )}
    </RowActions>
  )
}
