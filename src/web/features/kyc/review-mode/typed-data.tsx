import { TriangleAlert } from 'lucide-react'
import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { formatDay } from '#web/lib/dates.ts'
import { asWords } from '#web/lib/words.ts'
import { ResultBadge } from '#web/members/badges.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Missing, Section } from '#web/ui/section.tsx'
import { adultAge, ageOf, lengthSince } from './words.ts'

const Given = ({ children }: { children: string | null | undefined }) =>
  children ? <bdi>{children}</bdi> : <Missing>Not given</Missing>

function BirthDay({ day }: { day: string }) {
  const age = ageOf(day)
  return (
    <>
      {formatDay(day)}{' '}
      {age < adultAge ? (
        <Badge tone="warning" icon={TriangleAlert}>
          {age} years
        </Badge>
      ) : (
        <Missing>{age} years</Missing>
      )}
    </>
  )
}

/** A recommendation: the operator decides. */
function ProviderSays({
  verification: { providerResult, providerReason, providerResultAt },
}: Pick<ReviewCase, 'verification'>) {
  return (
    <>
      {providerResult && <ResultBadge result={providerResult} />}
      {providerReason && (
        <p className="mt-1">
          <bdi>{providerReason}</bdi>
        </p>
      )}
      {providerResultAt && (
        <p className="mt-0.5 text-12 text-quiet">
          <Instant value={providerResultAt} />
        </p>
      )}
    </>
  )
}

/** What the member typed and the provider said, in the order in which it stands on a document. */
export function TypedData({ reviewed: { user, verification, step2, step3 } }: { reviewed: ReviewCase }) {
  const documentType = step3?.documentType ?? verification.documentType
  return (
    <Section title="Entered by member" className="[&_dl]:grid-cols-[116px_minmax(0,1fr)]! [&_dl>*]:py-1.5!">
      <Facts>
        <Fact name="First name">
          <Given>{user.legalFirstName}</Given>
        </Fact>
        <Fact name="Last name">
          <Given>{user.legalLastName}</Given>
        </Fact>
        <Fact name="Date of birth">{step2 ? <BirthDay day={step2.dateOfBirth} /> : <Given>{null}</Given>}</Fact>
        <Fact name="Nationality">
          <Given>{step2?.nationality ?? verification.nationality}</Given>
        </Fact>
        <Fact name="Residence">
          <Given>{step2?.countryOfResidence}</Given>
        </Fact>
        <Fact name="Document type">
          <Given>{documentType && asWords(documentType)}</Given>
        </Fact>
        <Fact name="Email">
          <Given>{user.email}</Given>
        </Fact>
        <Fact name="Phone">
          <Given>{user.legalPhone}</Given>
        </Fact>
        <Fact name="KYC score">
          {verification.kycScore === null ? (
            <Missing>Not scored</Missing>
          ) : (
            <>
              {verification.kycScore} <Missing>of 100</Missing>
            </>
          )}
        </Fact>
        {verification.providerResult !== null && (
          <Fact name="KYC provider">
            <ProviderSays verification={verification} />
          </Fact>
        )}
        <Fact name="Waiting since">
          <Instant value={verification.submittedAt} /> <Missing>{lengthSince(verification.submittedAt)}</Missing>
        </Fact>
      </Facts>
    </Section>
  )
}
