import type { UserDetail } from '#contract/schemas/users.ts'
import { DocumentLink } from '#web/documents/document-link.tsx'
import type { Owner, ViewDocument } from '#web/documents/use-document-viewer.tsx'
import { formatDay } from '#web/lib/dates.ts'
import { columnsOf, instantWidth } from '#web/table/columns.ts'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { ResultBadge, StepBadge } from '#web/members/badges.tsx'
import { Processing } from '#web/members/processing.tsx'
import { CutText } from '#web/ui/cut-text.tsx'
import { Missing } from '#web/ui/section.tsx'
import { asWords } from '#web/lib/words.ts'

const step2 = columnsOf<UserDetail['step2History'][number]>()
const step3 = columnsOf<UserDetail['step3History'][number]>()
const step4 = columnsOf<UserDetail['step4History'][number]>()
const submission = columnsOf<UserDetail['submissionHistory'][number]>()

const whole = (width: string) => ({ meta: { width, grow: true, narrow: 'labelled' } }) as const
const text = { meta: { min: '120px', narrow: 'labelled' } } as const
const attempt = { header: 'Attempt', ...whole('48px') }
const status = { header: 'Status', ...whole('96px') }
const submitted = {
  header: 'Submitted',
  meta: { width: instantWidth(800), align: 'right', narrow: 'labelled' },
} as const

const Sent = ({ at }: { at: string }) => <Instant value={at} className="text-quiet" />

export const step2Columns = [
  step2.accessor('attemptNumber', attempt),
  step2.accessor('dateOfBirth', {
    header: 'Date of birth',
    cell: ({ getValue }) => <span className="whitespace-nowrap">{formatDay(getValue())}</span>,
    ...whole('84px'),
  }),
  step2.accessor('nationality', {
    header: 'Nationality',
    cell: ({ getValue }) => <CutText>{getValue()}</CutText>,
    ...text,
  }),
  step2.accessor('countryOfResidence', {
    header: 'Country of residence',
    cell: ({ getValue }) => <CutText>{getValue()}</CutText>,
    ...text,
  }),
  step2.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step2.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <Sent at={getValue()} /> }),
]

export const step3Columns = (user: Owner, view: ViewDocument) => [
  step3.accessor('attemptNumber', attempt),
  step3.accessor('documentType', {
    header: 'Document type',
    cell: ({ getValue }) => <CutText>{asWords(getValue())}</CutText>,
    ...text,
  }),
  step3.display({
    id: 'front',
    header: 'Front',
    cell: ({ row: { original } }) => (
      <DocumentLink
        user={user}
        kind="Identity front"
        attempt={original.attemptNumber}
        path={original.frontDocumentUrl}
        view={view}
      />
    ),
    ...whole('64px'),
  }),
  step3.display({
    id: 'back',
    header: 'Back',
    cell: ({ row: { original } }) => (
      <DocumentLink
        user={user}
        kind="Identity back"
        attempt={original.attemptNumber}
        path={original.backDocumentUrl}
        view={view}
      />
    ),
    ...whole('64px'),
  }),
  step3.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step3.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <Sent at={getValue()} /> }),
]

export const step4Columns = (user: Owner, view: ViewDocument) => [
  step4.accessor('attemptNumber', attempt),
  step4.display({
    id: 'selfie',
    header: 'Selfie',
    cell: ({ row: { original } }) => (
      <DocumentLink user={user} kind="Selfie" attempt={original.attemptNumber} path={original.selfieUrl} view={view} />
    ),
    ...whole('64px'),
  }),
  step4.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step4.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <Sent at={getValue()} /> }),
]

export const submissionColumns = [
  submission.accessor('attemptNumber', attempt),
  submission.accessor('result', {
    header: 'Result',
    cell: ({ getValue }) => <ResultBadge result={getValue()} />,
    ...whole('108px'),
  }),
  submission.accessor('rejectionReason', {
    header: 'Rejection reason',
    cell: ({ getValue }) => {
      const reason = getValue()
      return reason ? <CutText>{reason}</CutText> : <Missing>None</Missing>
    },
    meta: { min: '112px', narrow: 'labelled' },
  }),
  submission.accessor('autoProcessed', {
    header: 'Processing',
    cell: ({ row: { original } }) => <Processing of={original} />,
    ...whole('72px'),
  }),
  submission.accessor('caseId', {
    header: 'Case id',
    cell: ({ getValue }) => <Hash value={getValue()} name="case id" />,
    ...whole('112px'),
  }),
  submission.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <Sent at={getValue()} /> }),
]
