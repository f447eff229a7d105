/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select can't be searched on the server */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { reconciliationRoutes } from '#contract/reconciliation.ts'
import type { Candidate, CandidateCredit } from '#contract/schemas/reconciliation.ts'
import { buildQuery, describeError } from '#web/api.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { cn } from '#web/lib/cn.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { findMost, nameCandidate } from './candidate-parts.ts'
import { FoundOption, useChoiceByKeys } from './find-list.tsx'

/** Earlier payments by payer, account, amount, reference or order number; those to be paid back where nothing is typed. */
const foundQuery = (id: string, search: string) => ({
  ...buildQuery(reconciliationRoutes.credits, { params: { id }, query: search === '' ? {} : { search } }),
  placeholderData: keepPreviousData,
})

interface FindPaymentDialogProps {
  lineId: string
  onFound: (candidate: Candidate) => void
  onClose: () => void
}

/** The found payments, and the way to choose one by keys while the focus stays in the field. */
function usePaymentSearch({ lineId, onFound }: FindPaymentDialogProps) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const found = useQuery(foundQuery(lineId, search))
  const candidates = found.data?.candidates ?? []
  // Enter waits for the payments of what was typed before it.
  const isWaiting = found.isFetching || search !== typed.trim()
  const { at, restart, onKeyDown } = useChoiceByKeys({ found: candidates, isWaiting, choose: onFound })
  const type = (text: string) => {
    setTyped(text)
    restart()
  }
  return { typed, type, found, candidates, at, onKeyDown }
}

/** Finds an earlier payment that was not proposed, to be paid back or taken back. */
export default function FindPaymentDialog(props: FindPaymentDialogProps) {
  const { typed, type, found, candidates, at, onKeyDown } = usePaymentSearch(props)
  const id = useId()
  return (
    <Dialog title="Find a payment" onClose={props.onClose} className="max-w-150!">
      <div className="shrink-0 px-5 pt-3">
        <Input
          role="combobox"
          aria-label="Search payments"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={candidates.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          placeholder="Payer, amount, order number, reference..."
          value={typed}
          maxLength={200}
          onChange={({ target }) => type(target.value)}
          onKeyDown={onKeyDown}
        />
        <output className="mt-2 block text-12 text-quiet">{describeState(found, typed, candidates.length)}</output>
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Payments"
        className={cn('min-h-24 overflow-y-auto px-3 pt-1 pb-3', found.isPlaceholderData && 'opacity-60')}
      >
        {candidates.map((candidate, index) => (
          <PaymentOption
            key={nameCandidate(candidate)}
            id={`${id}-${index}`}
            candidate={candidate}
            isActive={index === at}
            onChoose={() => props.onFound(candidate)}
          />
        ))}
      </div>
    </Dialog>
  )
}

function describeState({ error, isPending }: { error: unknown; isPending: boolean }, typed: string, count: number) {
  if (error) return `The payments could not be loaded: ${describeError(error)}`
  if (isPending) return 'Searching...'
  const isSearched = typed.trim() !== ''
  if (count === 0) return isSearched ? `No payment matches “${typed.trim()}”.` : 'Nothing is to be paid back.'
  return isSearched ? `${count} found` : 'Payments that are to be paid back'
}

interface PaymentOptionProps {
  id: string
  candidate: Candidate
  isActive: boolean
  onChoose: () => void
}

function PaymentOption({ id, candidate, isActive, onChoose }: PaymentOptionProps) {
  const { credit, orders, outcome } = candidate
  if (!credit) return null
  const isTakenBack = outcome === 'reversal'
  return (
    <FoundOption {...{ id, isActive, onChoose }}>
      <span className="min-w-0">
        <span className="font-semibold">{isTakenBack ? 'Take back' : 'Pay back'}</span>{' '}
        <bdi className="wrap-anywhere">{credit.payerName ?? 'an unnamed payer'}</bdi>
        <span className="mt-0.5 block text-12 wrap-anywhere text-quiet">{describePayment(credit, orders)}</span>
      </span>
      <span className="text-right whole-number tabular-nums">
        {formatAmount(findMost(credit, isTakenBack))} <span className="text-quiet">{credit.currency}</span>
        <span className="block text-12 text-quiet">{isTakenBack ? 'can be taken back' : 'due'}</span>
      </span>
    </FoundOption>
  )
}

/** "100.00 EUR, booked Nov 03, 2026, to Giro, from DE02 1203 0000 0000 2020 51, ORD-7" */
const describePayment = (
  { amount, currency, bookedOn, accountName, payerAccount }: CandidateCredit,
  orders: Candidate['orders'],
): string =>
  [
    `${formatAmount(amount)} ${currency}`,
    bookedOn ? `booked ${formatDay(bookedOn)}` : 'not booked',
    `to ${accountName}`,
    ...(payerAccount ? [`from ${formatAccountNumber(payerAccount)}`] : []),
    ...orders.map(({ orderNumber }) => orderNumber),
  ].join(', ')
