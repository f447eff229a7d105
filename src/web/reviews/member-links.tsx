import { useQuery } from '@tanstack/react-query'
import { type LinkFact, mostCounted } from '#contract/kyc-links.ts'
import { kycReviewRoutes } from '#contract/kyc-reviews.ts'
import { documentLabels } from '#contract/kyc-parts.ts'
import type { LinkedMember, MemberLink } from '#contract/schemas/kyc-reviews.ts'
import { displayName } from '#contract/members.ts'
import { buildQuery } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { BannedBadge, KycBadge } from '#web/members/badges.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue, Section } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'

/** What a member has in common with others. It is fetched with the case. */
export const memberLinksQuery = (id: string) => buildQuery(kycReviewRoutes.links, { params: { id } })

const factWords: Record<LinkFact, string> = {
  phone: 'Same phone number as',
  name_birth: 'Same name and date of birth as',
  account: 'Paid from the same bank account as',
  wallet: 'Transfers with a wallet of',
  picture: 'Same picture as',
}

/** Which pictures are the same: “Selfie”, “Selfie here, Identity front there, nearly the same”. */
const describePicture = ({ own, other, isSame }: NonNullable<LinkedMember['picture']>) =>
  [
    own === other ? documentLabels[own] : `${documentLabels[own]} here, ${documentLabels[other]} there`,
    ...(isSame ? [] : ['nearly the same']),
  ].join(', ')

/** What was decided of the other member, when and why. */
function Outcome({ linked: { member, kycStatus, decidedAt, rejectionReason, bannedAt } }: { linked: LinkedMember }) {
  const isBanned = member.kycBanned
  const isDecided = kycStatus === 'approved' || kycStatus === 'rejected'
  const at = isBanned ? bannedAt : isDecided ? decidedAt : null
  const reason = isBanned ? member.bannedReason : isDecided ? rejectionReason : null
  return (
    <>
      {isBanned ? <BannedBadge /> : <KycBadge status={kycStatus} />}
      <span className="text-quiet">
        {at !== null && (
          <>
            on <Instant value={at} />
          </>
        )}
        {reason !== null && (
          <>
            : <bdi>{reason}</bdi>
          </>
        )}
      </span>
    </>
  )
}

const FactRow = ({ link: { fact, members, total } }: { link: MemberLink }) => (
  <li className="border-t py-2 first:border-t-0">
    <p className="text-12 text-quiet">{factWords[fact]}</p>
    <ul className="mt-0.5 space-y-1">
      {members.map((linked) => (
        <li key={linked.member.id} className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 wrap-anywhere">
          <Link {...paths.member(linked.member.id, { tab: 'kyc' })} dir="auto" className="font-medium link-reference">
            {displayName(linked.member)}
          </Link>
          <Outcome linked={linked} />
          {linked.picture && <MissingValue>({describePicture(linked.picture)})</MissingValue>}
        </li>
      ))}
      {total > members.length && (
        <li>
          <MissingValue>
            and {total >= mostCounted && 'at least '}
            {formatCount(total - members.length)} more
          </MissingValue>
        </li>
      )}
    </ul>
  </li>
)

/** What a member has in common with other members, as facts (product 5.10). */
export function MemberLinks({ userId }: { userId: string }) {
  const query = useQuery(memberLinksQuery(userId))
  const { data, error } = query
  return (
    <Section title="In common with other members">
      {data && data.links.length > 0 && (
        <ul className="-mt-1 text-13">
          {data.links.map((link) => (
            <FactRow key={link.fact} link={link} />
          ))}
        </ul>
      )}
      {data?.links.length === 0 && (
        <p className="text-13 text-quiet">No phone number, name, account, wallet or picture.</p>
      )}
      {!data && !error && (
        <output className="block">
          <span className="sr-only">Loading...</span>
          <Skeleton className="h-4.5 w-60 max-w-full" />
        </output>
      )}
      {!data && error && <LoadFailure size="row" what="What is in common" query={query} className="text-13" />}
    </Section>
  )
}
