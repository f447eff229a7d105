import type { DocumentKind } from './kyc.ts'

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

/** What an approval asks for, by its label. `attempt`: anything at all. */
export const caseParts = {
  attempt: 'A submitted attempt',
  personalData: 'Personal data',
  documentType: 'Document type',
  ...documentLabels,
} as const satisfies Record<keyof SentParts | 'attempt', string>
export type CasePart = keyof typeof caseParts

/** Passports have one side. The platform names the types in its own words: `passport`, `PASSPORT`, `Reisepass`. */
const isPassport = (documentType: string) => /pas\w*po+rt|reisepass/i.test(documentType)

/** The pictures that a type of document asks for. Of no type, the back is not known. */
export const listAskedDocuments = (documentType: string | null): DocumentKind[] =>
  documentType === null || isPassport(documentType) ? ['front', 'selfie'] : ['front', 'back', 'selfie']

/** What an attempt lacks of what is asked for (product 7.1). Null: nothing was submitted, or not since a reset. */
export function listMissingParts(sent: SentParts | null): CasePart[] {
  if (sent === null) return ['attempt']
  const asked = ['personalData', 'documentType', ...listAskedDocuments(sent.documentType)] as const
  return asked.filter((part) => !sent[part])
}
