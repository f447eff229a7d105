import { CircleX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReviewCase } from '#contract/schemas/kyc-reviews.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatMachineWord } from '#web/lib/words.ts'
import { ResultBadge } from '#web/members/badges.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue, Section } from '#web/ui/section.tsx'
import { describeMarks, type MarkableField, markableFields } from './field-marks.ts'
import { adultAge, calculateAge, formatElapsed } from './time-spans.ts'
import type { DecisionDraft } from './use-decision-draft.ts'

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

interface MarkableFactProps {
  field: MarkableField
  draft: DecisionDraft
  children: ReactNode
}

/** A value that a document can prove. Its digit, or a press on its name, marks it as different. */
function MarkableFact({ field, draft: { marks, toggleMark, canDecide }, children }: MarkableFactProps) {
  const [name, digit] = [field.replace(/^./, (first) => first.toUpperCase()), markableFields.indexOf(field) + 1]
  const button = (
    <button
      type="button"
      title="Differs from the document"
      aria-pressed={marks.has(field)}
      aria-keyshortcuts={String(digit)}
      disabled={!canDecide}
      // A click leaves the focus in an open form.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => toggleMark(field)}
      className="relative -my-1.5 flex w-full items-center gap-1.5 py-1.5 text-left whitespace-nowrap"
    >
      <kbd
        aria-hidden
        className="in-aria-pressed:border-danger-solid! in-aria-pressed:bg-danger-solid! in-aria-pressed:text-on-danger!"
      >
        {digit}
      </kbd>
      {name}
      <span className="sr-only">differs from the document</span>
    </button>
  )
  return (
    <Fact name={button}>
      {children}{' '}
      {marks.has(field) && (
        <Badge plain tone="danger" icon={CircleX} className="font-medium text-danger-ink">
          Differs
        </Badge>
      )}
    </Fact>
  )
}

interface MemberDataProps {
  reviewed: ReviewCase
  draft: DecisionDraft
}

/** The member's data and the provider's result, in the order of an identity document. */
export function MemberData({ reviewed, draft }: MemberDataProps) {
  const { user, latinName, verification, step2, step3 } = reviewed
  const documentType = step3?.documentType ?? verification.documentType
  return (
    <Section
      title="Entered by member"
      end={<span className="text-12 text-quiet roomy:max-wide:hidden">Press a number where it differs</span>}
      className="[&_dl]:-mx-2 [&_dl]:grid-cols-[136px_minmax(0,1fr)]! [&_dl>*]:py-1.5! [&_dt]:pl-2 [&_dt]:pr-2! [&_dt:has([aria-pressed=true])]:bg-danger-soft [&_dt:has([aria-pressed=true])+dd]:bg-danger-soft"
    >
      <Facts>
        <MarkableFact field="first name" draft={draft}>
          <GivenName latin={latinName.first}>{user.legalFirstName}</GivenName>
        </MarkableFact>
        <MarkableFact field="last name" draft={draft}>
          <GivenName latin={latinName.last}>{user.legalLastName}</GivenName>
        </MarkableFact>
        <MarkableFact field="date of birth" draft={draft}>
          {step2 ? <BirthDay day={step2.dateOfBirth} /> : <GivenValue>{null}</GivenValue>}
        </MarkableFact>
        <MarkableFact field="nationality" draft={draft}>
          <GivenValue>{step2?.nationality ?? verification.nationality}</GivenValue>
        </MarkableFact>
        <MarkableFact field="document type" draft={draft}>
          <GivenValue>{documentType && formatMachineWord(documentType)}</GivenValue>
        </MarkableFact>
        <Fact name="Residence">
          <GivenValue>{step2?.countryOfResidence}</GivenValue>
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
      <output className="sr-only">{describeMarks(draft.marks)}</output>
    </Section>
  )
}
