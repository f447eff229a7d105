import type {
  KycStatus,
  providerResults,
  stepStatuses,
  submissionResults,
  verificationStatuses,
} from '#contract/kyc.ts'

type OneOf<List extends readonly string[]> = List[number]

export interface Step {
  status: OneOf<typeof stepStatuses>
  submittedAt: string
}
export interface Step2 extends Step {
  dateOfBirth: string
  nationality: string
  countryOfResidence: string
}
export interface Step3 extends Step {
  documentType: string
  frontDocumentPath: string
  backDocumentPath: string | null
}
export interface Step4 extends Step {
  selfiePath: string
}

/** What the KYC provider said last of an attempt, whoever decides. */
export interface ProviderWord {
  providerResult: OneOf<typeof providerResults>
  providerReason: string | null
  providerResultAt: string
  /** 0 to 100; null leaves the one that was said before. */
  kycScore: number | null
}

/** One attempt of a member: the steps as they stand, and once it is submitted what became of it. */
export interface Attempt {
  attemptNumber: number
  step2: Step2 | null
  step3: Step3 | null
  step4: Step4 | null
  submission: {
    result: OneOf<typeof submissionResults>
    autoProcessed: boolean
    caseId: string
    submittedAt: string
    version: number
  } | null
  verification: {
    status: OneOf<typeof verificationStatuses>
    rejectionReason: string | null
    adminNotes: string | null
    word: ProviderWord | null
    decidedBy: string | null
    decidedAt: string | null
    submittedAt: string
    version: number
  } | null
}

/** What the member's own row says of its KYC. */
export interface KycFacts {
  kycStatus: KycStatus | null
  kycCurrentStep: number
  kycDocumentType: string | null
  kycSubmissionCount: number
  kycSubmittedAt: string | null
  kycFrontDocument: string | null
  kycBackDocument: string | null
  kycSelfie: string | null
  kycRejectionReason: string | null
  kycAdminNotes: string | null
  kycDecidedAttempt: number | null
  kycDecidedBy: string | null
  kycDecidedAt: string | null
}

export interface KycMember {
  id: string
  membershipId: string | null
  version: number
  facts: KycFacts
  attempts: Map<number, Attempt>
}

export const emptyAttempt = (attemptNumber: number): Attempt => ({
  attemptNumber,
  step2: null,
  step3: null,
  step4: null,
  submission: null,
  verification: null,
})

/** The attempt with each of its steps standing at `status`. */
export function withStepStatus(attempt: Attempt, status: Step['status']): Attempt {
  const { step2, step3, step4 } = attempt
  return {
    ...attempt,
    step2: step2 && { ...step2, status },
    step3: step3 && { ...step3, status },
    step4: step4 && { ...step4, status },
  }
}
