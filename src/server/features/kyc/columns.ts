import { kycStep2, kycStep3, kycStep4, kycSubmissions, kycVerifications } from '#server/db/tables/kyc.ts'

/** The KYC provider's result for an attempt. */
export const providerResultColumns = {
  kycScore: kycVerifications.kycScore,
  providerResult: kycVerifications.providerResult,
  providerReason: kycVerifications.providerReason,
  providerResultAt: kycVerifications.providerResultAt,
}

export const verificationColumns = {
  id: kycVerifications.id,
  userId: kycVerifications.memberId,
  attemptNumber: kycVerifications.attemptNumber,
  status: kycVerifications.status,
  ...providerResultColumns,
  documentType: kycVerifications.documentType,
  nationality: kycVerifications.nationality,
  submittedAt: kycVerifications.submittedAt,
  rejectionReason: kycVerifications.rejectionReason,
  adminNotes: kycVerifications.adminNotes,
  decidedBy: kycVerifications.decidedBy,
  decidedAt: kycVerifications.decidedAt,
  version: kycVerifications.version,
}

export const submissionColumns = {
  id: kycSubmissions.id,
  userId: kycSubmissions.memberId,
  attemptNumber: kycSubmissions.attemptNumber,
  result: kycSubmissions.result,
  autoProcessed: kycSubmissions.autoProcessed,
  caseId: kycSubmissions.caseId,
  submittedAt: kycSubmissions.submittedAt,
}

export const step2Columns = {
  id: kycStep2.id,
  userId: kycStep2.memberId,
  attemptNumber: kycStep2.attemptNumber,
  dateOfBirth: kycStep2.dateOfBirth,
  nationality: kycStep2.nationality,
  countryOfResidence: kycStep2.countryOfResidence,
  status: kycStep2.status,
  submittedAt: kycStep2.submittedAt,
}

export const step3Columns = {
  id: kycStep3.id,
  userId: kycStep3.memberId,
  attemptNumber: kycStep3.attemptNumber,
  documentType: kycStep3.documentType,
  frontDocumentUrl: kycStep3.frontDocument,
  backDocumentUrl: kycStep3.backDocument,
  status: kycStep3.status,
  submittedAt: kycStep3.submittedAt,
}

export const step4Columns = {
  id: kycStep4.id,
  userId: kycStep4.memberId,
  attemptNumber: kycStep4.attemptNumber,
  selfieUrl: kycStep4.selfie,
  status: kycStep4.status,
  submittedAt: kycStep4.submittedAt,
}
