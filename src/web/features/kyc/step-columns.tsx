import type { ListedStep2, ListedStep3, ListedStep4 } from '#contract/kyc-reviews.ts'
import { displayName } from '#contract/users.ts'
import { formatDay } from '#web/lib/dates.ts'
import { StepBadge } from '#web/members/badges.tsx'
import { columnsOf } from '#web/table/columns.ts'
import { Missing } from '#web/ui/section.tsx'
import { attemptLook, MemberCell, SubmittedCell, WordsCell, type Member } from './cells.tsx'

const step2 = columnsOf<ListedStep2>()
const step3 = columnsOf<ListedStep3>()
const step4 = columnsOf<ListedStep4>()

/** Opens a document of that member. */
export type ViewDocument = (document: { user: Member; label: string; path: string }) => void

const user = { id: 'user', header: 'User', meta: { min: '200px', narrow: 'full' } } as const
const status = { header: 'Status', meta: { width: '132px', narrow: 'labelled' } } as const
// The last column has the page's edge in it.
const submitted = { header: 'Submitted', meta: { width: '120px', narrow: 'labelled' } } as const
const labelled = (width: string) => ({ meta: { width, narrow: 'labelled' } }) as const

interface DocumentLinkProps {
  row: { user: Member; attemptNumber: number }
  /** "Identity front" */
  kind: string
  path: string | null
  view: ViewDocument
}

function DocumentLink({ row, kind, path, view }: DocumentLinkProps) {
  if (!path) return <Missing>None</Missing>
  const label = `${kind}, attempt ${row.attemptNumber}`
  return (
    <button
      type="button"
      aria-label={`View ${label} of ${displayName(row.user)}`}
      onClick={() => view({ user: row.user, label, path })}
      className="rounded-s text-13 font-medium text-accent-ink hover:underline hover:underline-offset-3 max-md:-my-2.5 max-md:min-h-10 max-md:min-w-10 max-md:text-right"
    >
      View
    </button>
  )
}

export const step2Columns = [
  step2.display({ ...user, cell: ({ row: { original } }) => <MemberCell user={original.user} withEmail /> }),
  step2.accessor('attemptNumber', attemptLook),
  step2.accessor('dateOfBirth', {
    header: 'Date of birth',
    cell: ({ getValue }) => <span className="tabular-nums">{formatDay(getValue())}</span>,
    ...labelled('124px'),
  }),
  step2.accessor('nationality', {
    header: 'Nationality',
    cell: ({ getValue }) => <WordsCell value={getValue()} />,
    ...labelled('clamp(124px, 100vw - 1240px, 200px)'),
  }),
  step2.accessor('countryOfResidence', {
    header: 'Country of residence',
    cell: ({ getValue }) => <WordsCell value={getValue()} />,
    ...labelled('clamp(152px, 100vw - 1220px, 220px)'),
  }),
  step2.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step2.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <SubmittedCell at={getValue()} /> }),
]

export const step3Columns = (view: ViewDocument) => [
  step3.display({ ...user, cell: ({ row: { original } }) => <MemberCell user={original.user} withEmail /> }),
  step3.accessor('attemptNumber', attemptLook),
  step3.accessor('documentType', {
    header: 'Document type',
    cell: ({ getValue }) => <WordsCell value={getValue()} />,
    ...labelled('180px'),
  }),
  step3.display({
    id: 'front',
    header: 'Front',
    cell: ({ row: { original } }) => (
      <DocumentLink row={original} kind="Identity front" path={original.frontDocumentUrl} view={view} />
    ),
    ...labelled('88px'),
  }),
  step3.display({
    id: 'back',
    header: 'Back',
    cell: ({ row: { original } }) => (
      <DocumentLink row={original} kind="Identity back" path={original.backDocumentUrl} view={view} />
    ),
    ...labelled('88px'),
  }),
  step3.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step3.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <SubmittedCell at={getValue()} /> }),
]

export const step4Columns = (view: ViewDocument) => [
  step4.display({ ...user, cell: ({ row: { original } }) => <MemberCell user={original.user} withEmail /> }),
  step4.accessor('attemptNumber', attemptLook),
  step4.display({
    id: 'selfie',
    header: 'Selfie',
    cell: ({ row: { original } }) => (
      <DocumentLink row={original} kind="Selfie" path={original.selfieUrl} view={view} />
    ),
    ...labelled('160px'),
  }),
  step4.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step4.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <SubmittedCell at={getValue()} /> }),
]
