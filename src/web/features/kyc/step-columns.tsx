import type { ListedStep2, ListedStep3, ListedStep4 } from '#contract/schemas/kyc-reviews.ts'
import { DocumentLink } from '#web/documents/document-link.tsx'
import type { ViewDocument } from '#web/documents/use-document-viewer.tsx'
import { formatDay } from '#web/lib/dates.ts'
import { StepBadge } from '#web/members/badges.tsx'
import { createColumns } from '#web/table/columns.ts'
import { MemberCell, SubmittedCell, submittedColumn, WordsCell } from './cells.tsx'

const step2 = createColumns<ListedStep2>()
const step3 = createColumns<ListedStep3>()
const step4 = createColumns<ListedStep4>()

const user = { id: 'user', header: 'User', meta: { min: '180px', narrow: 'subject' } } as const
const attempt = { header: 'Attempt', meta: { width: '48px', hideBelow: 680, narrow: 'hidden' } } as const
const status = { header: 'Status', meta: { width: '96px', grow: true, narrow: 'aside' } } as const
const document = { meta: { width: '64px', grow: true, narrow: 'hidden' } } as const

const renderDocument = (
  view: ViewDocument,
  kind: string,
  { user: owner, attemptNumber }: ListedStep3 | ListedStep4,
  path: string | null,
) => <DocumentLink member={owner} withName kind={kind} attempt={attemptNumber} path={path} view={view} />

export const step2Columns = [
  step2.display({ ...user, cell: ({ row: { original } }) => <MemberCell member={original.user} /> }),
  step2.accessor('attemptNumber', attempt),
  step2.accessor('dateOfBirth', {
    header: 'Date of birth',
    cell: ({ getValue }) => <span className="whitespace-nowrap tabular-nums">{formatDay(getValue())}</span>,
    meta: { width: '84px', grow: true, narrow: 'hidden' },
  }),
  step2.accessor('nationality', {
    header: 'Nationality',
    cell: ({ getValue }) => <WordsCell value={getValue()} />,
    meta: { min: '96px', hideBelow: 740, narrow: 'hidden' },
  }),
  step2.accessor('countryOfResidence', {
    header: 'Country of residence',
    cell: ({ getValue }) => <WordsCell value={getValue()} />,
    meta: { min: '128px', hideBelow: 960, narrow: 'hidden' },
  }),
  step2.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step2.accessor('submittedAt', { ...submittedColumn, cell: ({ getValue }) => <SubmittedCell at={getValue()} /> }),
]

export const step3Columns = (view: ViewDocument) => [
  step3.display({ ...user, cell: ({ row: { original } }) => <MemberCell member={original.user} /> }),
  step3.accessor('attemptNumber', attempt),
  step3.accessor('documentType', {
    header: 'Document type',
    cell: ({ getValue }) => <WordsCell value={getValue()} />,
    meta: { min: '112px', hideBelow: 880, narrow: 'hidden' },
  }),
  step3.display({
    id: 'front',
    header: 'Front',
    cell: ({ row: { original } }) => renderDocument(view, 'Identity front', original, original.frontDocumentUrl),
    ...document,
  }),
  step3.display({
    id: 'back',
    header: 'Back',
    cell: ({ row: { original } }) => renderDocument(view, 'Identity back', original, original.backDocumentUrl),
    ...document,
  }),
  step3.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step3.accessor('submittedAt', { ...submittedColumn, cell: ({ getValue }) => <SubmittedCell at={getValue()} /> }),
]

export const step4Columns = (view: ViewDocument) => [
  step4.display({ ...user, cell: ({ row: { original } }) => <MemberCell member={original.user} /> }),
  step4.accessor('attemptNumber', attempt),
  step4.display({
    id: 'selfie',
    header: 'Selfie',
    cell: ({ row: { original } }) => renderDocument(view, 'Selfie', original, original.selfieUrl),
    ...document,
  }),
  step4.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step4.accessor('submittedAt', { ...submittedColumn, cell: ({ getValue }) => <SubmittedCell at={getValue()} /> }),
]
