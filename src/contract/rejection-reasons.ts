import type { MissingPart } from './kyc-parts.ts'

/** Reasons that an operator can insert with one click, as the member reads them. */
export const rejectionReasons = [
  'The document is not readable. Please upload a sharp photo without glare.',
  'The document has expired. Please upload a valid one.',
  'A side of the document is missing. Please upload front and back.',
  'The name on the document differs from the one given.',
  'The date of birth on the document differs from the one given.',
  'The selfie does not show the person on the document.',
  'This type of document is not accepted. Please use a passport, an identity card or a residence permit.',
] as const

/** The same for what an attempt lacks. Without a type of document there is no picture of it either. */
export const missingReasons = {
  personal_data: 'The personal data is missing. Please enter date of birth, nationality and country of residence.',
  document_type: 'The identity document is missing. Please upload it.',
  back: 'The back of the document is missing. Please upload front and back.',
  selfie: 'The selfie is missing. Please upload one.',
} as const satisfies Partial<Record<MissingPart, string>>
