import type { ReviewAction } from '#contract/kyc-reviews.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'

/** What the KYC provider said of a case, for the operator who decides it. */
export type ProviderWord = Pick<Verification, 'kycScore' | 'providerResult' | 'providerReason' | 'providerResultAt'>

const words = { approved: 'approved', rejected: 'rejected', under_review: 'under review' } as const

/** "KYC provider: approved, score 87"; null while it has said nothing. */
const providerSentence = ({ providerResult, kycScore }: ProviderWord) =>
  providerResult && `KYC provider: ${words[providerResult]}${kycScore === null ? '' : `, score ${kycScore}`}`

const opposite = { approve: 'rejected', reject: 'approved' } as const

/** A recommendation; it stands out where the operator is about to decide otherwise. */
export function ProviderNote({ word, action }: { word: ProviderWord; action: ReviewAction }) {
  const { providerResult, providerReason, providerResultAt } = word
  if (providerResult === null) return null
  return (
    <Note tone={providerResult === opposite[action] ? 'warning' : 'info'} className="mb-4">
      <p className="font-medium">{providerSentence(word)}</p>
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
