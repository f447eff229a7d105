import * as z from 'zod/mini'
import { kycStatuses, stepStatuses, submissionResults } from '#contract/kyc.ts'
import { Day, Timestamp } from './common.ts'

export const KycStatus = z.enum(kycStatuses)

export const StepStatus = z.enum(stepStatuses)

/** The member a row belongs to: who they are, and whether they are banned. */
export const MemberRef = z.object({
  id: z.string(),
  email: z.string(),
  legalFirstName: z.nullable(z.string()),
  legalLastName: z.nullable(z.string()),
  kycBanned: z.boolean(),
  bannedReason: z.nullable(z.string()),
})
export type MemberRef = z.infer<typeof MemberRef>

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

/** What was sent of an attempt: step 2, the type of document of step 3, and each picture. */
export const SentParts = z.object({
  personalData: z.boolean(),
  documentType: z.nullable(z.string()),
  front: z.boolean(),
  back: z.boolean(),
  selfie: z.boolean(),
})

export const Submission = z.object({
  id: z.string(),
  userId: z.string(),
  user: MemberRef,
  attemptNumber: z.int(),
  result: z.enum(submissionResults),
  autoProcessed: z.boolean(),
  caseId: z.string(),
  submittedAt: Timestamp,
  /** Why this attempt was rejected. */
  rejectionReason: z.nullable(z.string()),
})
