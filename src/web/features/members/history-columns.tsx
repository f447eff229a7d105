import type { MemberDetail } from '#contract/schemas/members.ts'
import { DocumentLink } from '#web/documents/document-link.tsx'
import type { DocumentOwner, ViewDocument } from '#web/documents/use-document-viewer.tsx'
import { formatDay } from '#web/lib/dates.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { Hash } from '#web/ui/hash.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { ResultBadge, StepBadge, ProcessingType } from '#web/members/badges.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { formatMachineWord } from '#web/lib/words.ts'

const step2 = createColumns<MemberDetail['step2History'][number]>()
const step3 = createColumns<MemberDetail['step3History'][number]>()
const step4 = createColumns<MemberDetail['step4History'][number]>()
const submission = createColumns<MemberDetail['submissionHistory'][number]>()

const whole = (width: string) => ({ meta: { width, grow: true, narrow: 'labelled' } }) as const
const text = { meta: { min: '120px', narrow: 'labelled' } } as const
const attempt = { header: 'Attempt', ...whole('48px') }
const status = { header: 'Status', ...whole('96px') }
const submitted = {
  header: 'Submitted',
  meta: { width: instantWidth(800), align: 'right', narrow: 'labelled' },
} as const

const SubmissionTime = ({ at }: { at: string }) => <Instant value={at} className="text-quiet" />

export const step2Columns = [
  step2.accessor('attemptNumber', attempt),
  step2.accessor('dateOfBirth', {
    header: 'Date of birth',
    cell: ({ getValue }) => <span className="whitespace-nowrap">{formatDay(getValue())}</span>,
    ...whole('84px'),
  }),
  step2.accessor('nationality', {
    header: 'Nationality',
    cell: ({ getValue }) => <TruncatedText>{getValue()}</TruncatedText>,
    ...text,
  }),
  step2.accessor('countryOfResidence', {
    header: 'Country of residence',
    cell: ({ getValue }) => <TruncatedText>{getValue()}</TruncatedText>,
    ...text,
  }),
  step2.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step2.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <SubmissionTime at={getValue()} /> }),
]

const renderDocument = (
  view: ViewDocument,
  kind: string,
  member: DocumentOwner,
  attempt: number,
  path: string | null,
) => <DocumentLink member={member} kind={kind} attempt={attempt} path={path} view={view} />

export const step3Columns = (member: DocumentOwner, view: ViewDocument) => [
  step3.accessor('attemptNumber', attempt),
  step3.accessor('documentType', {
    header: 'Document type',
    cell: ({ getValue }) => <TruncatedText>{formatMachineWord(getValue())}</TruncatedText>,
    ...text,
  }),
  step3.display({
    id: 'front',
    header: 'Front',
    cell: ({ row: { original } }) =>
      renderDocument(view, 'Identity front', member, original.attemptNumber, original.frontDocumentUrl),
    ...whole('64px'),
  }),
  step3.display({
    id: 'back',
    header: 'Back',
    cell: ({ row: { original } }) =>
      renderDocument(view, 'Identity back', member, original.attemptNumber, original.backDocumentUrl),
    ...whole('64px'),
  }),
  step3.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step3.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <SubmissionTime at={getValue()} /> }),
]

export const step4Columns = (member: DocumentOwner, view: ViewDocument) => [
  step4.accessor('attemptNumber', attempt),
  step4.display({
    id: 'selfie',
    header: 'Selfie',
    cell: ({ row: { original } }) => renderDocument(view, 'Selfie', member, original.attemptNumber, original.selfieUrl),
    ...whole('64px'),
  }),
  step4.accessor('status', { ...status, cell: ({ getValue }) => <StepBadge status={getValue()} /> }),
  step4.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <SubmissionTime at={getValue()} /> }),
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
      return reason ? <TruncatedText>{reason}</TruncatedText> : <MissingValue>None</MissingValue>
    },
    meta: { min: '112px', narrow: 'labelled' },
  }),
  submission.accessor('autoProcessed', {
    header: 'Processing',
    cell: ({ row: { original } }) => <ProcessingType submission={original} />,
    ...whole('72px'),
  }),
  submission.accessor('caseId', {
    header: 'Case id',
    cell: ({ getValue }) => <Hash value={getValue()} name="case id" />,
    ...whole('112px'),
  }),
  submission.accessor('submittedAt', { ...submitted, cell: ({ getValue }) => <SubmissionTime at={getValue()} /> }),
]
