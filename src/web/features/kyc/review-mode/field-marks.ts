import type { rejectionReasons } from '#contract/rejection-reasons.ts'
import { describeParts } from '#web/reviews/doubts.tsx'

/** What the member entered and a document can prove, in the order shown. The key of each is its place, from 1. */
export const markableFields = ['first name', 'last name', 'date of birth', 'nationality', 'document type'] as const
export type MarkableField = (typeof markableFields)[number]
export type FieldMarks = ReadonlySet<MarkableField>

type ReadyReason = (typeof rejectionReasons)[number]
const nameDiffers = 'The name on the document differs from the one given.' satisfies ReadyReason
const readyReasons: Partial<Record<string, ReadyReason>> = {
  'first name': nameDiffers,
  'last name': nameDiffers,
  'first name,last name': nameDiffers,
  'date of birth': 'The date of birth on the document differs from the one given.',
}

/** What differs from the document, in a sentence for the member: a ready reason where one fits. Empty without marks. */
export function describeMarks(marks: FieldMarks): string {
  const fields = markableFields.filter((field) => marks.has(field))
  if (fields.length === 0) return ''
  const names = fields.map((field, index) => `${index === 0 ? 'The' : 'the'} ${field}`)
  return readyReasons[fields.join()] ?? describeParts(names, 'differs from the document', 'differ from the document')
}

/** Replaces the sentence of the marks at the beginning of a reason. An edited one stays, and so does what follows. */
export function replaceMarks(reason: string, before: FieldMarks, after: FieldMarks): string {
  const [old, sentence] = [describeMarks(before), describeMarks(after)]
  if (!reason.startsWith(old)) return reason
  const rest = reason.slice(old.length).trimStart()
  return sentence === '' || rest.includes(sentence) ? rest : `${sentence} ${rest}`
}
