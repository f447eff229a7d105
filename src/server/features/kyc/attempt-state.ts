import type { providerResults } from '#contract/kyc.ts'
import type { RowOf } from '#server/db/select.ts'
import type { kycFactColumns, partColumns } from './attempt-columns.ts'

type Part<Name extends keyof typeof partColumns> = RowOf<(typeof partColumns)[Name]>

export type Step = Pick<Part<'step2'>, 'status' | 'submittedAt'>
export type Step2 = Part<'step2'>
export type Step3 = Part<'step3'>
export type Step4 = Part<'step4'>

/** What the KYC provider said last of an attempt, whoever decides. */
export interface ProviderWord {
  providerResult: (typeof providerResults)[number]
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
  submission: Part<'submission'> | null
  verification: (Part<'verification'> & { word: ProviderWord | null }) | null
}

/** What the member's own row says of its KYC. */
export type KycFacts = RowOf<typeof kycFactColumns>

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
