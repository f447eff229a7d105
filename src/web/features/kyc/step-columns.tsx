import type { ListedStep2, ListedStep3, ListedStep4 } from '#contract/kyc-reviews.ts'
import { DocumentLink } from '#web/documents/document-link.tsx'
import type { ViewDocument } from '#web/documents/use-document-viewer.tsx'
import { formatDay } from '#web/lib/dates.ts'
import { StepBadge } from '#web/members/badges.tsx'
import { columnsOf } from '#web/table/columns.ts'
import { attemptLook, MemberCell, SubmittedCell, WordsCell } from './cells.tsx'

const step2 = columnsOf<ListedStep2>()
const step3 = columnsOf<ListedStep3>()
const step4 = columnsOf<ListedStep4>()

const user = { id: 'user', header: 'User', meta: { min: '200px', narrow: 'full' } } as const
const status = { header: 'Status', meta: { width: '132px', narrow: 'labelled' } } as const
// The last column has the page's edge in it; from 1440 px on the instant stands on one line.
const submittedWidth = 'clamp(120px, 100vw - 1256px, 184px)'
const submitted = { header: 'Submitted', meta: { width: submittedWidth, narrow: 'labelled' } } as const
const labelled = (width: string) => ({ meta: { width, narrow: 'labelled' } }) as const

export const step2Columns = [
  step2.display({ ...user, cell: ({ row: { original } }) => <MemberCell user={original.user} withEmail="always" /> }),
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
  step3.display({ ...user, cell: ({ row: { original } }) => <MemberCell user={original.user} withEmail="always" /> }),
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
      <DocumentLink
        user={original.user}
        withName
        kind="Identity front"
        attempt={original.attemptNumber}
        path={original.frontDocumentUrl}
        view={view}
      />
    ),
    ...labelled('88px'),
  }),
  step3.display({
    id: 'back',
    header: 'Back',
    cell: ({ row: { original } }) => (
      <DocumentLink
        user={original.user}
        withName
        kind="Identity back"
        attempt={original.attemptNumber}
        path={original.backDocumentUrl}
        view={view}
      />
    ),
    ...labelled('88px'),
  }),
  step3.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step3.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <SubmittedCell at={getValue()} /> }),
]

export const step4Columns = (view: ViewDocument) => [
  step4.display({ ...user, cell: ({ row: { original } }) => <MemberCell user={original.user} withEmail="always" /> }),
  step4.accessor('attemptNumber', attemptLook),
  step4.display({
    id: 'selfie',
    header: 'Selfie',
    cell: ({ row: { original } }) => (
      <DocumentLink
        user={original.user}
        withName
        kind="Selfie"
        attempt={original.attemptNumber}
        path={original.selfieUrl}
        view={view}
      />
    ),
    ...labelled('160px'),
  }),
  step4.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step4.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <SubmittedCell at={getValue()} /> }),
]
