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
import {
  buildStep2List,
  buildStep3List,
  buildStep4List,
  buildSubmissionList,
  buildVerificationList,
} from '#server/features/kyc/service.ts'
import { buildWebhookLogList } from '#server/features/kyc-webhooks/service.ts'
import { banColumns, memberColumns, defineSheet, formatState } from './sheet.ts'

/** The state of an attempt as its badge shows it. */
const formatAttemptState = (state: string) => (state === 'approved' ? kycStatusLabels.approved : formatState(state))

export const submissionSheet = defineSheet<SubmissionsQuery, ListedSubmission>(buildSubmissionList, {
  ...memberColumns((submission: ListedSubmission) => submission.user),
  Attempt: (submission) => submission.attemptNumber,
  Result: (submission) => formatAttemptState(submission.result),
  Processing: (submission) =>
    submission.result === 'under_review' ? 'Not yet' : submission.autoProcessed ? 'Auto' : 'Manual',
  'Case id': (submission) => submission.caseId,
  Submitted: (submission) => submission.submittedAt,
  'Rejection Reason': (submission) => submission.rejectionReason,
  ...banColumns((submission: ListedSubmission) => submission.user),
})

export const verificationSheet = defineSheet<VerificationsQuery, Verification>(buildVerificationList, {
  ...memberColumns((verification: Verification) => verification.user),
  Attempt: (verification) => verification.attemptNumber,
  Status: (verification) => formatAttemptState(verification.status),
  // The screen shows "Not scored". An empty cell keeps the column numeric.
  'KYC Score': (verification) => verification.kycScore,
  'Document Type': (verification) => verification.documentType,
  Nationality: (verification) => verification.nationality,
  Submitted: (verification) => verification.submittedAt,
  'Decided By': (verification) => verification.decidedBy,
  'Decided At': (verification) => verification.decidedAt,
  'Rejection Reason': (verification) => verification.rejectionReason,
  ...banColumns((verification: Verification) => verification.user),
})

export const step2Sheet = defineSheet<StepsQuery, ListedStep2>(buildStep2List, {
  ...memberColumns((step: ListedStep2) => step.user),
  Attempt: (step) => step.attemptNumber,
  'Date of birth': (step) => step.dateOfBirth,
  Nationality: (step) => step.nationality,
  'Country of residence': (step) => step.countryOfResidence,
  Status: (step) => formatAttemptState(step.status),
  Submitted: (step) => step.submittedAt,
  ...banColumns((step: ListedStep2) => step.user),
})

// Documents are listed by their storage key, which grants no access.
export const step3Sheet = defineSheet<StepsQuery, ListedStep3>(buildStep3List, {
  ...memberColumns((step: ListedStep3) => step.user),
  Attempt: (step) => step.attemptNumber,
  'Document type': (step) => step.documentType,
  Front: (step) => step.frontDocumentUrl,
  Back: (step) => step.backDocumentUrl,
  Status: (step) => formatAttemptState(step.status),
  Submitted: (step) => step.submittedAt,
  ...banColumns((step: ListedStep3) => step.user),
})

export const step4Sheet = defineSheet<StepsQuery, ListedStep4>(buildStep4List, {
  ...memberColumns((step: ListedStep4) => step.user),
  Attempt: (step) => step.attemptNumber,
  Selfie: (step) => step.selfieUrl,
  Status: (step) => formatAttemptState(step.status),
  Submitted: (step) => step.submittedAt,
  ...banColumns((step: ListedStep4) => step.user),
})

export const webhookLogSheet = defineSheet<WebhookLogsQuery, WebhookLog>(buildWebhookLogList, {
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
