import * as z from 'zod/mini'
import { Day, Timestamp } from './common.ts'

/** SPEC section 4. */
export const kycStatuses = ['pending', 'submitted', 'under_review', 'approved', 'rejected'] as const
export const KycStatus = z.enum(kycStatuses)
export type KycStatus = z.infer<typeof KycStatus>

/** How the badges read. */
export const kycStatusLabels: Record<KycStatus, string> = {
  approved: 'Verified',
  under_review: 'Under Review',
  pending: 'Pending',
  submitted: 'Submitted',
  rejected: 'Rejected',
}

/** Members that wait for an operator's decision (PRODUCT 3.24). */
export const awaitingReview = ['submitted', 'under_review'] as const satisfies KycStatus[]

export const kycActions = ['approve', 'reject', 'reset'] as const
export type KycAction = (typeof kycActions)[number]

/** Approve, reject and reset are offered from every status but approved (SPEC section 4, PRODUCT 3.12). */
export const canDecideKyc = (status: KycStatus | null) => status !== 'approved'

export const kycSteps = ['Profile Setup', 'Personal Info', 'Document Upload', 'Selfie Verification'] as const

/** What a step of an attempt, and the attempt itself, can stand at. */
export const stepStatuses = ['draft', 'submitted', 'approved', 'rejected', 'reset'] as const
export const StepStatus = z.enum(stepStatuses)

/** Results of the submission history: `pending` after a reset. */
export const submissionResults = ['under_review', 'approved', 'rejected', 'pending'] as const

/** `reset`: its attempt was reset before anyone judged it, so it can't be reviewed any more. */
export const verificationStatuses = ['pending', 'approved', 'rejected', 'reset'] as const

/** What the KYC provider can answer (PRODUCT section 4). */
export const providerResults = ['approved', 'rejected', 'under_review'] as const

export const documentKinds = ['front', 'back', 'selfie'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** Names and e-mail of the member a row belongs to. */
export const MemberRef = z.object({
  id: z.string(),
  email: z.string(),
  legalFirstName: z.nullable(z.string()),
  legalLastName: z.nullable(z.string()),
})

const step = { id: z.string(), attemptNumber: z.int(), status: StepStatus, submittedAt: Timestamp }

export const Step2 = z.object({
  ...step,
  dateOfBirth: Day,
  nationality: z.string(),
  countryOfResidence: z.string(),
  user: MemberRef,
})
export const Step3 = z.object({
  ...step,
  documentType: z.string(),
  frontDocumentUrl: z.string(),
  backDocumentUrl: z.nullable(z.string()),
})
export const Step4 = z.object({ ...step, selfieUrl: z.string() })

export const Submission = z.object({
  id: z.string(),
  userId: z.string(),
  user: MemberRef,
  attemptNumber: z.int(),
  result: z.enum(submissionResults),
  autoProcessed: z.boolean(),
  caseId: z.string(),
  submittedAt: Timestamp,
})
