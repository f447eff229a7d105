import { type DocumentKind, documentKinds } from './kyc.ts'

/** What was sent of an attempt. */
export interface SentParts {
  /** Step 2. */
  personalData: boolean
  /** Null without step 3. */
  documentType: string | null
  front: boolean
  back: boolean
  selfie: boolean
}

export const documentLabels: Record<DocumentKind, string> = {
  front: 'Identity front',
  back: 'Identity back',
  selfie: 'Selfie',
}

/** What may be missing. `attempt`: nothing was submitted, or not since a reset. */
export const missingParts = ['attempt', 'personal_data', 'document_type', ...documentKinds] as const
export type MissingPart = (typeof missingParts)[number]
type CasePart = Exclude<MissingPart, 'attempt'>

export const casePartLabels: Record<CasePart, string> = {
  personal_data: 'Personal data',
  document_type: 'Document type',
  ...documentLabels,
}

/** Passports have one side. The platform names the types in its own words: `passport`, `PASSPORT`, `Reisepass`. */
const isPassport = (documentType: string) => /pas\w*po+rt|reisepass/i.test(documentType)

/** The pictures that a type of document asks for. Of no type, the back is not known. */
export const listAskedDocuments = (documentType: string | null): DocumentKind[] =>
  documentType === null || isPassport(documentType) ? ['front', 'selfie'] : ['front', 'back', 'selfie']

/** What is asked for of an attempt, in the order in which it is shown. */
export const listAskedParts = (documentType: string | null): CasePart[] => [
  'personal_data',
  'document_type',
  ...listAskedDocuments(documentType),
]

/** What an attempt lacks of what is asked for (product 7.1). */
export function listMissingParts(sent: SentParts | null): MissingPart[] {
  if (sent === null) return ['attempt']
  const has = { ...sent, personal_data: sent.personalData, document_type: sent.documentType !== null }
  return listAskedParts(sent.documentType).filter((part) => !has[part])
}
