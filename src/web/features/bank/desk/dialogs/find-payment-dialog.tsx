import { useQuery } from '@tanstack/react-query'
import type { Candidate, CandidateCredit, CandidateOrder } from '#contract/schemas/bank-candidates.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay } from '#web/lib/dates.ts'
import { findMost, nameCandidate } from '#web/features/bank/desk/line/candidate-allocations.ts'
import { earlierQuery, FindDialog, useSearchText } from './find-dialog.tsx'

const words = {
  field: 'Search payments',
  placeholder: 'Payer, amount, order number, reference...',
  list: 'Payments',
  what: 'The payments',
  noMatch: 'No payment matches',
  untyped: 'Payments that are to be paid back',
  none: 'Nothing is to be paid back.',
}

interface FindPaymentDialogProps {
  lineId: string
  onFound: (candidate: Candidate) => void
  onClose: () => void
}

/** Finds an earlier payment that was not proposed, to be paid back or taken back. */
export default function FindPaymentDialog({ lineId, onFound, onClose }: FindPaymentDialogProps) {
  const text = useSearchText()
  const query = useQuery(earlierQuery(lineId, text.asked))
  return (
    <FindDialog
      title="Find a payment"
      words={words}
      text={text}
      found={query.data?.candidates ?? []}
      query={query}
      isFetching={query.isFetching}
      choose={onFound}
      nameOption={nameCandidate}
      onClose={onClose}
    >
      {(candidate) => <PaymentOption candidate={candidate} />}
    </FindDialog>
  )
}

function PaymentOption({ candidate }: { candidate: Candidate }) {
  if (candidate.kind === 'order' || candidate.kind === 'return') return null
  const { kind, orders, credits } = candidate
  const credit = credits[0]!
  const isTakenBack = kind === 'reversal'
  return (
    <>
      <span className="min-w-0">
        <span className="font-semibold">{isTakenBack ? 'Take back' : 'Pay back'}</span>{' '}
        <bdi className="wrap-anywhere">{credit.payerName ?? 'an unnamed payer'}</bdi>
        <span className="mt-0.5 block text-12 wrap-anywhere text-quiet">{describePayment(credit, orders)}</span>
      </span>
      <span className="text-right whole-number tabular-nums">
        {formatAmount(findMost(credit, isTakenBack))} <span className="text-quiet">{credit.currency}</span>
        <span className="block text-12 text-quiet">{isTakenBack ? 'can be taken back' : 'due'}</span>
      </span>
    </>
  )
}

/** "100.00 EUR, booked Nov 03, 2026, to Giro, from DE02 1203 0000 0000 2020 51, ORD-7" */
const describePayment = (
  { amount, currency, bookedOn, accountName, payerAccount }: CandidateCredit,
  orders: readonly CandidateOrder[],
): string =>
  [
    `${formatAmount(amount)} ${currency}`,
    bookedOn ? `booked ${formatDay(bookedOn)}` : 'not booked',
    `to ${accountName}`,
    ...(payerAccount ? [`from ${formatAccountNumber(payerAccount)}`] : []),
    ...orders.map(({ orderNumber }) => orderNumber),
  ].join(', ')
