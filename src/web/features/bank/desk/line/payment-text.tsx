import { ScanText, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { bankReferenceLabels } from '#contract/bank.ts'
import { findIbanProblem } from '#contract/iban.ts'
import { describeReturnReason } from '#contract/return-reasons.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { FoundReference } from '#contract/schemas/bank-candidates.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay } from '#web/lib/dates.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { describeFound, splitFound } from './found-text.ts'
import { formatAllocationMoney } from './allocation-words.ts'

const MarkedText = ({ text, found }: { text: string; found: readonly string[] }) =>
  splitFound(text, found).map((piece, at) =>
    piece.isFound ? (
      <mark
        key={at}
        className="rounded-s bg-warning-soft px-1 font-medium text-warning-ink underline decoration-warning-solid decoration-2 underline-offset-4"
      >
        {piece.text}
      </mark>
    ) : (
      <span key={at}>{piece.text}</span>
    ),
  )

/** The facts of the payment in a line, over what the payer and the bank wrote, with the found number marked. */
export function PaymentText({ line, found }: { line: BankLine; found: readonly FoundReference[] }) {
  const texts = found.map(({ text }) => text)
  const { remittance, info } = line
  return (
    <section aria-label="Text of the payment">
      <LineFacts line={line} texts={texts} />
      <div className="mt-3 rounded-l border bg-canvas px-4 py-2.5">
        <p dir="auto" className="font-mono text-13 leading-6 break-words whitespace-pre-line">
          {remittance.length > 0 ? (
            <MarkedText text={remittance.join('\n')} found={texts} />
          ) : (
            <MissingValue>The payer wrote nothing.</MissingValue>
          )}
        </p>
        {info.length > 0 && (
          <p dir="auto" className="mt-1 text-12 break-words text-quiet">
            <MarkedText text={info.join(' ')} found={texts} />
          </p>
        )}
        {found.length > 0 && (
          <ul aria-label="Found numbers" className="mt-1 space-y-1 text-12 text-quiet">
            {found.map((each) => (
              <li key={`${each.orderNumber} ${each.text}`} className="flex items-start gap-1.5">
                <ScanText aria-hidden className="mt-px size-3.5 shrink-0" />
                <span className="min-w-0 wrap-anywhere">{describeFound(line, each)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const LineFact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-w-0 gap-1.5">
    <dt className="shrink-0 text-quiet">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
)

/**
 * Whole, since two accounts may differ in one digit in the middle. A number that looks like an IBAN and is not one was typed or read
 * wrongly somewhere.
 */
function PayerAccount({ account }: { account: string }) {
  const problem = findIbanProblem(account)
  return (
    <>
      <span className="inline-flex max-w-full items-center gap-0.5 *:last:-my-1">
        <bdi className="min-w-0 tabular-nums">{formatAccountNumber(account)}</bdi>
        <CopyButton text={account} label={`Copy ${formatAccountNumber(account)}`} />
      </span>
      {problem !== null && (
        <span className="mt-0.5 flex items-start gap-1.5 text-warning-ink">
          <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span>Careful: {problem}</span>
        </span>
      )}
    </>
  )
}

/** What the payer wrote, which proves nothing. */
const ClaimedValue = ({ text }: { text: string }) => (
  <>
    <bdi>{text}</bdi> <span className="text-quiet">(the payer says)</span>
  </>
)

function LineFacts({ line, texts }: { line: BankLine; texts: readonly string[] }) {
  const { payer, claims, statementNumber, place, references, valueOn, bookedOn, accountName } = line
  const { instructed, charges, returnReason } = line
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-12 leading-4.5">
      <LineFact name="Account">
        {payer.account ? <PayerAccount account={payer.account} /> : <MissingValue>Unknown account</MissingValue>}
      </LineFact>
      {claims.ultimate !== null && (
        <LineFact name="On behalf of">
          <ClaimedValue text={claims.ultimate} />
        </LineFact>
      )}
      {claims.name !== null && (
        <LineFact name="Name in text">
          <ClaimedValue text={claims.name} />
        </LineFact>
      )}
      {claims.account !== null && (
        <LineFact name="IBAN in text">
          <ClaimedValue text={formatAccountNumber(claims.account)} />
        </LineFact>
      )}
      {valueOn && valueOn !== bookedOn && <LineFact name="Value day">{formatDay(valueOn)}</LineFact>}
      {returnReason !== null && <LineFact name="Returned">{capitalise(describeReturnReason(returnReason))}</LineFact>}
      {instructed && <LineFact name="Sent">{formatAllocationMoney(instructed)}</LineFact>}
      {charges.length > 0 && <LineFact name="Charges">{charges.map(formatAllocationMoney).join(', ')}</LineFact>}
      <LineFact name="Statement">
        <bdi>{accountName}</bdi>
        {statementNumber && (
          <>
            , no. <bdi>{statementNumber}</bdi>
          </>
        )}
        , {place}
      </LineFact>
      {references.map(({ kind, reference }) => (
        <LineFact key={`${kind} ${reference}`} name={bankReferenceLabels[kind]}>
          <bdi className="hash-text">
            <MarkedText text={reference} found={texts} />
          </bdi>
        </LineFact>
      ))}
    </dl>
  )
}
