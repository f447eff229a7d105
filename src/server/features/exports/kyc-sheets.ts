import { kycStatusLabels } from '#contract/kyc.ts'
import type {
  ListedStep2,
  ListedStep3,
  ListedStep4,
  ListedSubmission,
  StepsQuery,
  SubmissionsQuery,
  Verification,
  VerificationsQuery,
} from '#contract/schemas/kyc-reviews.ts'
import type { WebhookLog, WebhookLogsQuery } from '#contract/schemas/kyc-webhooks.ts'
import { askStep2, askStep3, askStep4, askSubmissions, askVerifications } from '#server/features/kyc/service.ts'
import { askWebhookLogs } from '#server/features/webhooks/service.ts'
import { banColumns, memberColumns, sheetOf, stateWords } from './sheet.ts'

/** Where an attempt stands, as its badge reads. */
const attemptWords = (state: string) => (state === 'approved' ? kycStatusLabels.approved : stateWords(state))

export const submissionSheet = sheetOf<SubmissionsQuery, ListedSubmission>(askSubmissions, {
  ...memberColumns((submission: ListedSubmission) => submission.user),
  Attempt: (submission) => submission.attemptNumber,
  Result: (submission) => attemptWords(submission.result),
  Processing: (submission) =>
    submission.result === 'under_review' ? 'Not yet' : submission.autoProcessed ? 'Auto' : 'Manual',
  'Case id': (submission) => submission.caseId,
  Submitted: (submission) => submission.submittedAt,
  'Rejection Reason': (submission) => submission.rejectionReason,
  ...banColumns((submission: ListedSubmission) => submission.user),
})

export const verificationSheet = sheetOf<VerificationsQuery, Verification>(askVerifications, {
  ...memberColumns((verification: Verification) => verification.user),
  Attempt: (verification) => verification.attemptNumber,
  Status: (verification) => attemptWords(verification.status),
  // Empty reads "Not scored" on the screen; here it keeps the column one of numbers.
  'KYC Score': (verification) => verification.kycScore,
  'Document Type': (verification) => verification.documentType,
  Nationality: (verification) => verification.nationality,
  Submitted: (verification) => verification.submittedAt,
  'Decided By': (verification) => verification.decidedBy,
  'Decided At': (verification) => verification.decidedAt,
  'Rejection Reason': (verification) => verification.rejectionReason,
  ...banColumns((verification: Verification) => verification.user),
})

export const step2Sheet = sheetOf<StepsQuery, ListedStep2>(askStep2, {
  ...memberColumns((step: ListedStep2) => step.user),
  Attempt: (step) => step.attemptNumber,
  'Date of birth': (step) => step.dateOfBirth,
  Nationality: (step) => step.nationality,
  'Country of residence': (step) => step.countryOfResidence,
  Status: (step) => attemptWords(step.status),
  Submitted: (step) => step.submittedAt,
  ...banColumns((step: ListedStep2) => step.user),
})

// Documents stand by the key under which they are stored, which opens nothing by itself.
export const step3Sheet = sheetOf<StepsQuery, ListedStep3>(askStep3, {
  ...memberColumns((step: ListedStep3) => step.user),
  Attempt: (step) => step.attemptNumber,
  'Document type': (step) => step.documentType,
  Front: (step) => step.frontDocumentUrl,
  Back: (step) => step.backDocumentUrl,
  Status: (step) => attemptWords(step.status),
  Submitted: (step) => step.submittedAt,
  ...banColumns((step: ListedStep3) => step.user),
})

export const step4Sheet = sheetOf<StepsQuery, ListedStep4>(askStep4, {
  ...memberColumns((step: ListedStep4) => step.user),
  Attempt: (step) => step.attemptNumber,
  Selfie: (step) => step.selfieUrl,
  Status: (step) => attemptWords(step.status),
  Submitted: (step) => step.submittedAt,
  ...banColumns((step: ListedStep4) => step.user),
})

export const webhookLogSheet = sheetOf<WebhookLogsQuery, WebhookLog>(askWebhookLogs, {
  Status: (log) => (log.success ? 'Success' : 'Failed'),
  'User ID': (log) => log.userId,
  Attempt: (log) => log.attemptNumber,
  Try: (log) => log.tryNumber,
  'HTTP Status': (log) => log.httpStatus,
  'Latency (ms)': (log) => log.latencyMs,
  Response: (log) => log.errorMessage,
  Date: (log) => log.createdAt,
  'Started By': (log) => log.startedBy,
  'Next Try': (log) => log.nextTryAt,
})
