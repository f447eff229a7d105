import type { ReviewAction } from '#contract/kyc-reviews.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'

/** The KYC provider's opinion on a case. */
export type ProviderOpinion = Pick<Verification, 'kycScore' | 'providerResult' | 'providerReason' | 'providerResultAt'>

const resultWords = { approved: 'approved', rejected: 'rejected', under_review: 'under review' } as const

/** "KYC provider: approved, score 87". Null without a result. */
const describeOpinion = ({ providerResult, kycScore }: ProviderOpinion) =>
  providerResult && `KYC provider: ${resultWords[providerResult]}${kycScore === null ? '' : `, score ${kycScore}`}`

const opposite = { approve: 'rejected', reject: 'approved' } as const

/** A recommendation. It is a warning where the operator is about to decide otherwise. */
export function ProviderNote({ opinion, action }: { opinion: ProviderOpinion; action: ReviewAction }) {
  const { providerResult, providerReason, providerResultAt } = opinion
  if (providerResult === null) return null
  return (
    <Note tone={providerResult === opposite[action] ? 'warning' : 'info'} className="mb-4">
      <p className="font-medium">{describeOpinion(opinion)}</p>
      {providerReason && (
        <p>
          <bdi>{providerReason}</bdi>
        </p>
      )}
      {providerResultAt && (
        <p className="text-12">
          <Instant value={providerResultAt} />
        </p>
      )}
    </Note>
  )
}
