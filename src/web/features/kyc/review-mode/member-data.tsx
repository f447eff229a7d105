import { TriangleAlert } from 'lucide-react'
import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatMachineWord } from '#web/lib/words.ts'
import { ResultBadge } from '#web/members/badges.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue, Section } from '#web/ui/section.tsx'
import { adultAge, calculateAge, formatElapsed } from './time-spans.ts'

const GivenValue = ({ children }: { children: string | null | undefined }) =>
  children ? <bdi>{children}</bdi> : <MissingValue>Not given</MissingValue>

/** A name, beside it how it reads in Latin letters, as a document has it. */
const GivenName = ({ children, latin }: { children: string | null; latin: string | null }) => (
  <>
    <GivenValue>{children}</GivenValue> {latin !== null && <MissingValue>{latin}</MissingValue>}
  </>
)

function BirthDay({ day }: { day: string }) {
  const age = calculateAge(day)
  return (
    <>
      {formatDay(day)}{' '}
      {age < adultAge ? (
        <Badge tone="warning" icon={TriangleAlert}>
          {age} years
        </Badge>
      ) : (
        <MissingValue>{age} years</MissingValue>
      )}
    </>
  )
}

/** A recommendation: the operator decides. */
function ProviderResult({
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

/** The member's data and the provider's result, in the order of an identity document. */
export function MemberData({ reviewed: { user, latinName, verification, step2, step3 } }: { reviewed: ReviewCase }) {
  const documentType = step3?.documentType ?? verification.documentType
  return (
    <Section title="Entered by member" className="[&_dl]:grid-cols-[116px_minmax(0,1fr)]! [&_dl>*]:py-1.5!">
      <Facts>
        <Fact name="First name">
          <GivenName latin={latinName.first}>{user.legalFirstName}</GivenName>
        </Fact>
        <Fact name="Last name">
          <GivenName latin={latinName.last}>{user.legalLastName}</GivenName>
        </Fact>
        <Fact name="Date of birth">
          {step2 ? <BirthDay day={step2.dateOfBirth} /> : <GivenValue>{null}</GivenValue>}
        </Fact>
        <Fact name="Nationality">
          <GivenValue>{step2?.nationality ?? verification.nationality}</GivenValue>
        </Fact>
        <Fact name="Residence">
          <GivenValue>{step2?.countryOfResidence}</GivenValue>
        </Fact>
        <Fact name="Document type">
          <GivenValue>{documentType && formatMachineWord(documentType)}</GivenValue>
        </Fact>
        <Fact name="Email">
          <GivenValue>{user.email}</GivenValue>
        </Fact>
        <Fact name="Phone">
          <GivenValue>{user.legalPhone}</GivenValue>
        </Fact>
        <Fact name="KYC score">
          {verification.kycScore === null ? (
            <MissingValue>Not scored</MissingValue>
          ) : (
            <>
              {verification.kycScore} <MissingValue>of 100</MissingValue>
            </>
          )}
        </Fact>
        {verification.providerResult !== null && (
          <Fact name="KYC provider">
            <ProviderResult verification={verification} />
          </Fact>
        )}
        <Fact name="Waiting since">
          <Instant value={verification.submittedAt} />{' '}
          <MissingValue>{formatElapsed(verification.submittedAt)}</MissingValue>
        </Fact>
      </Facts>
    </Section>
  )
}
