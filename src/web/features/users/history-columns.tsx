import type { UserDetail } from '#contract/users.ts'
import { formatDay } from '#web/lib/dates.ts'
import { columnsOf } from '#web/table/columns.ts'
import { Instant } from '#web/ui/instant.tsx'
import { ResultBadge, StepBadge } from '#web/members/badges.tsx'
import { CutText } from '#web/ui/cut-text.tsx'
import { Missing } from '#web/ui/section.tsx'
import { asWords } from './words.ts'

const step2 = columnsOf<UserDetail['step2History'][number]>()
const step3 = columnsOf<UserDetail['step3History'][number]>()
const step4 = columnsOf<UserDetail['step4History'][number]>()
const submission = columnsOf<UserDetail['submissionHistory'][number]>()

/** Opens a document of an attempt; `path` is null where none was uploaded. */
export type ViewDocument = (document: { label: string; path: string | null }) => void

const attempt = { header: 'Attempt', meta: { width: '84px', narrow: 'labelled' } } as const
const status = { header: 'Status', meta: { width: '132px', narrow: 'labelled' } } as const
const submitted = { header: 'Submitted', meta: { width: '184px', align: 'right', narrow: 'labelled' } } as const
const labelled = { meta: { narrow: 'labelled' } } as const

const Sent = ({ at }: { at: string }) => <Instant value={at} className="text-quiet" />

function DocumentLink({ label, path, view }: { label: string; path: string | null; view: ViewDocument }) {
  if (!path) return <Missing>None</Missing>
  return (
    <button
      type="button"
      aria-label={`View ${label}`}
      onClick={() => view({ label, path })}
      className="rounded-s text-13 font-medium text-accent-ink hover:underline hover:underline-offset-3 max-md:min-h-10 max-md:min-w-10 max-md:text-right"
    >
      View
    </button>
  )
}

export const step2Columns = [
  step2.accessor('attemptNumber', attempt),
  step2.accessor('dateOfBirth', {
    header: 'Date of birth',
    cell: ({ getValue }) => formatDay(getValue()),
    ...labelled,
  }),
  step2.accessor('nationality', {
    header: 'Nationality',
    cell: ({ getValue }) => <CutText>{getValue()}</CutText>,
    ...labelled,
  }),
  step2.accessor('countryOfResidence', {
    header: 'Country of residence',
    cell: ({ getValue }) => <CutText>{getValue()}</CutText>,
    ...labelled,
  }),
  step2.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step2.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <Sent at={getValue()} /> }),
]

export const step3Columns = (view: ViewDocument) => [
  step3.accessor('attemptNumber', attempt),
  step3.accessor('documentType', {
    header: 'Document type',
    cell: ({ getValue }) => <CutText>{asWords(getValue())}</CutText>,
    ...labelled,
  }),
  step3.display({
    id: 'front',
    header: 'Front',
    cell: ({ row: { original } }) => (
      <DocumentLink
        label={`Identity front, attempt ${original.attemptNumber}`}
        path={original.frontDocumentUrl}
        view={view}
      />
    ),
    ...labelled,
  }),
  step3.display({
    id: 'back',
    header: 'Back',
    cell: ({ row: { original } }) => (
      <DocumentLink
        label={`Identity back, attempt ${original.attemptNumber}`}
        path={original.backDocumentUrl}
        view={view}
      />
    ),
    ...labelled,
  }),
  step3.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step3.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <Sent at={getValue()} /> }),
]

export const step4Columns = (view: ViewDocument) => [
  step4.accessor('attemptNumber', attempt),
  step4.display({
    id: 'selfie',
    header: 'Selfie',
    cell: ({ row: { original } }) => (
      <DocumentLink label={`Selfie, attempt ${original.attemptNumber}`} path={original.selfieUrl} view={view} />
    ),
    ...labelled,
  }),
  step4.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step4.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <Sent at={getValue()} /> }),
]

export const submissionColumns = [
  submission.accessor('attemptNumber', attempt),
  submission.accessor('result', {
    header: 'Result',
    cell: ({ getValue }) => <ResultBadge result={getValue()} />,
    ...labelled,
  }),
  submission.accessor('autoProcessed', {
    header: 'Processing',
    cell: ({ getValue }) => (getValue() ? 'Auto' : 'Manual'),
    ...labelled,
  }),
  submission.accessor('caseId', {
    header: 'Case id',
    cell: ({ getValue }) => (
      <span title={getValue()} className="block truncate hash-text">
        {getValue()}
      </span>
    ),
    ...labelled,
  }),
  submission.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <Sent at={getValue()} /> }),
]
