import { kycStep2, kycStep3, kycStep4, kycSubmissions, kycVerifications } from '#server/db/tables/kyc.ts'
import { members } from '#server/db/tables/members.ts'
import { writableColumns } from '#server/db/write.ts'
import { omit } from '#server/lib/omit.ts'
import { providerResultColumns } from './columns.ts'

/** The key of an attempt. */
export const attemptKey = ['memberId', 'attemptNumber'] as const

const step2 = omit(writableColumns(kycStep2), attemptKey)
const step3 = {
  status: kycStep3.status,
  submittedAt: kycStep3.submittedAt,
  documentType: kycStep3.documentType,
  frontDocumentPath: kycStep3.frontDocument,
  backDocumentPath: kycStep3.backDocument,
}
const step4 = { status: kycStep4.status, submittedAt: kycStep4.submittedAt, selfiePath: kycStep4.selfie }
const submission = omit(writableColumns(kycSubmissions), attemptKey)

/** The data that the decision was made on, and the provider's result. */
const judgedColumns = { documentType: kycVerifications.documentType, nationality: kycVerifications.nationality }
const verification = omit(writableColumns(kycVerifications), [
  ...attemptKey,
  'documentType',
  'nationality',
  'kycScore',
  'providerResult',
  'providerReason',
  'providerResultAt',
])

/** The parts of an attempt, one per table. The names are those of `Attempt`. */
export const partColumns = { step2, step3, step4, submission, verification }

const keyOf = (
  table: typeof kycStep2 | typeof kycStep3 | typeof kycStep4 | typeof kycSubmissions | typeof kycVerifications,
) => ({ memberId: table.memberId, attemptNumber: table.attemptNumber })

/** The same parts as they are written, with the key of their attempt. */
export const writtenParts = {
  step2: { ...keyOf(kycStep2), ...step2 },
  step3: { ...keyOf(kycStep3), ...step3 },
  step4: { ...keyOf(kycStep4), ...step4 },
  submission: { ...keyOf(kycSubmissions), ...submission },
  verification: { ...keyOf(kycVerifications), ...verification, ...judgedColumns, ...providerResultColumns },
}

/** The KYC columns of the member's row. */
export const kycFactColumns = {
  kycStatus: members.kycStatus,
  kycCurrentStep: members.kycCurrentStep,
  kycDocumentType: members.kycDocumentType,
  kycSubmissionCount: members.kycSubmissionCount,
  kycSubmittedAt: members.kycSubmittedAt,
  kycFrontDocument: members.kycFrontDocument,
  kycBackDocument: members.kycBackDocument,
  kycSelfie: members.kycSelfie,
  kycRejectionReason: members.kycRejectionReason,
  kycRejectedFinally: members.kycRejectedFinally,
  kycAdminNotes: members.kycAdminNotes,
  kycDecidedAttempt: members.kycDecidedAttempt,
  kycDecidedBy: members.kycDecidedBy,
  kycDecidedAt: members.kycDecidedAt,
}
