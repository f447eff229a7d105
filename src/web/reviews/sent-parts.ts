import type { SentParts } from '#contract/kyc-parts.ts'
import type { UserDetail } from '#contract/schemas/users.ts'

/** What was sent of a member's latest submitted attempt. Null where there is none, and after a reset. */
export function readSentParts(detail: UserDetail): SentParts | null {
  const [latest] = detail.submissionHistory.toSorted((a, b) => b.attemptNumber - a.attemptNumber)
  if (!latest || latest.result === 'pending') return null
  const isOf = ({ attemptNumber }: { attemptNumber: number }) => attemptNumber === latest.attemptNumber
  const step3 = detail.step3History.find(isOf)
  return {
    personalData: detail.step2History.some(isOf),
    documentType: step3?.documentType ?? null,
    front: step3 !== undefined,
    back: typeof step3?.backDocumentUrl === 'string',
    selfie: detail.step4History.some(isOf),
  }
}
