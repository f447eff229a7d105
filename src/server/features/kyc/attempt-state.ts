import type { providerResults } from '#contract/kyc.ts'
import type { SentParts } from '#contract/kyc-parts.ts'
import type { RowOf } from '#server/db/select.ts'
import type { kycFactColumns, partColumns } from './attempt-columns.ts'

type Part<Name extends keyof typeof partColumns> = RowOf<(typeof partColumns)[Name]>

export type Step = Pick<Part<'step2'>, 'status' | 'submittedAt'>
export type Step2 = Part<'step2'>
export type Step3 = Part<'step3'>
export type Step4 = Part<'step4'>

/** The latest result of the KYC provider for an attempt, no matter who decides. */
export interface ProviderResult {
  providerResult: (typeof providerResults)[number]
  providerReason: string | null
  providerResultAt: string
  /** 0 to 100. Null keeps the earlier score. */
  kycScore: number | null
}

/** One attempt of a member: its steps and, once submitted, its result. */
export interface Attempt {
  attemptNumber: number
  step2: Step2 | null
  step3: Step3 | null
  step4: Step4 | null
  submission: Part<'submission'> | null
  verification: (Part<'verification'> & { result: ProviderResult | null }) | null
}

/** The KYC columns of the member's row. */
export type KycFacts = RowOf<typeof kycFactColumns>

export interface KycMember {
  id: string
  membershipId: string | null
  version: number
  isErased: boolean
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

/** What was sent of a submitted attempt. Null for a draft, and after a reset. */
export function readSentParts({ step2, step3, step4, submission }: Attempt): SentParts | null {
  if (!submission || submission.result === 'pending') return null
  return {
    personalData: step2 !== null,
    documentType: step3?.documentType ?? null,
    front: step3 !== null,
    back: step3 !== null && step3.backDocumentPath !== null,
    selfie: step4 !== null,
  }
}

/** The attempt with this status in each of its steps. */
export function withStepStatus(attempt: Attempt, status: Step['status']): Attempt {
  const { step2, step3, step4 } = attempt
  return {
    ...attempt,
    step2: step2 && { ...step2, status },
    step3: step3 && { ...step3, status },
    step4: step4 && { ...step4, status },
  }
}
