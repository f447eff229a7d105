/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select can't be searched on the server */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { orderRoutes } from '#contract/orders.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { reconciliationRoutes } from '#contract/reconciliation.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { Candidate } from '#contract/schemas/reconciliation.ts'
import { displayName } from '#contract/users.ts'
import { buildQuery, call, describeError } from '#web/api.ts'
import { formatAmount } from '#web/bank/amounts.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { formatAccountNumber } from '#web/lib/account-number.ts'
import { cn } from '#web/lib/cn.ts'
import { formatDay } from '#web/lib/dates.ts'
import { OrderBadge } from '#web/members/order-badge.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { nameCandidate } from './candidate-parts.ts'
import { FoundOption, useChoiceByKeys } from './find-list.tsx'
import { MemberKey } from './member-key.tsx'

const mostFound = 20

/** Orders by number, member, e-mail or amount, those of the line's amount where nothing is typed. */
const foundQuery = (search: string) => ({
  ...buildQuery(orderRoutes.list, { query: { search, page: 1, limit: mostFound } }),
  placeholderData: keepPreviousData,
})

/** Transfers of ours that the line may return. */
const transfersQuery = (id: string, search: string) => ({
  ...buildQuery(reconciliationRoutes.credits, { params: { id }, query: search === '' ? {} : { search } }),
  placeholderData: keepPreviousData,
})

interface FindOrderDialogProps {
  line: BankLine
  open: string
  /** What speaks for and against the chosen order; with no id the transfer that came back. */
  onFound: (candidate: Candidate, orderId: string | null) => void
  onClose: () => void
}

type Found = { order: Order } | { candidate: Candidate }

/** The found orders and transfers, and the way to choose one by keys while the focus stays in the field. */
function useOrderSearch({ line, open, onFound }: FindOrderDialogProps) {
  const [typed, setTyped] = useState('')
  const amountOfLine = formatAmount(open).replaceAll(',', '')
  const asked = useDeferredValue(typed.trim())
  const search = asked || amountOfLine
  const found = useQuery(foundQuery(search))
  const transfers = useQuery(transfersQuery(line.id, asked))
  const options: Found[] = [
    ...(found.data?.orders ?? []).map((order) => ({ order })),
    ...(transfers.data?.candidates ?? []).map((candidate) => ({ candidate })),
  ]
  const judge = useSingleMutation({
    mutationFn: ({ id: orderId }: Order) =>
      call(reconciliationRoutes.judge, { params: { id: line.id }, body: { orderId } }),
    onSuccess: ({ candidate }, order) => onFound(candidate, order.id),
  })
  const choose = (chosen: Found) => ('order' in chosen ? judge.mutate(chosen.order) : onFound(chosen.candidate, null))
  // Enter waits for what was typed before it.
  const isWaiting = found.isFetching || transfers.isFetching || asked !== typed.trim()
  const { at, restart, onKeyDown } = useChoiceByKeys({ found: options, isWaiting, choose })
  const type = (text: string) => {
    setTyped(text)
    restart()
  }
  return { typed, type, found, options, at, judge, choose, onKeyDown }
}

/** Finds an order, or a transfer that came back, that was not proposed. The server judges it like the others. */
export default function FindOrderDialog(props: FindOrderDialogProps) {
  const { typed, type, found, options, at, judge, choose, onKeyDown } = useOrderSearch(props)
  const id = useId()
  return (
    <Dialog title="Find an order or a transfer" onClose={props.onClose} locked={judge.isPending} className="max-w-150!">
      <div className="shrink-0 px-5 pt-3">
        <Input
          role="combobox"
          aria-label="Search orders"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={options.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          placeholder="Order number, member, e-mail, amount..."
          value={typed}
          maxLength={200}
          onChange={({ target }) => type(target.value)}
          onKeyDown={onKeyDown}
        />
        <FieldError>{judge.error && describeError(judge.error)}</FieldError>
        <output className="mt-2 block text-12 text-quiet">{describeState(found, typed, options.length)}</output>
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Orders and transfers"
        className={cn('min-h-24 overflow-y-auto px-3 pt-1 pb-3', found.isPlaceholderData && 'opacity-60')}
      >
        {options.map((each, index) => {
          const option = { id: `${id}-${index}`, isActive: index === at, onChoose: () => choose(each) }
          return 'order' in each ? (
            <OrderOption key={each.order.id} order={each.order} {...option} />
          ) : (
            <TransferOption key={nameCandidate(each.candidate)} candidate={each.candidate} {...option} />
          )
        })}
      </div>
    </Dialog>
  )
}

function describeState({ error, isPending }: { error: unknown; isPending: boolean }, typed: string, count: number) {
  if (error) return `The orders could not be loaded: ${describeError(error)}`
  if (isPending) return 'Searching...'
  if (count === 0)
    return typed.trim() ? `No order or transfer matches “${typed.trim()}”.` : 'No order has the amount of this line.'
  if (typed.trim()) return count >= mostFound ? `The first ${count}` : `${count} found`
  return 'Orders and transfers with the amount of this line'
}

interface OrderOptionProps {
  id: string
  order: Order
  isActive: boolean
  onChoose: () => void
}

function OrderOption({ id, order, isActive, onChoose }: OrderOptionProps) {
  const { userFirstName, userLastName, userEmail } = order
  const member = displayName({ legalFirstName: userFirstName, legalLastName: userLastName, email: userEmail })
  return (
    <FoundOption {...{ id, isActive, onChoose }}>
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="font-semibold wrap-anywhere">{order.orderNumber}</bdi>
          <OrderBadge status={order.status} />
        </span>
        <span className="mt-0.5 block text-12 wrap-anywhere text-quiet">
          <bdi>{member}</bdi> · <bdi>{order.projectName}</bdi>
        </span>
        <MemberKey order={order} />
      </span>
      <span className="whole-number tabular-nums">
        {formatAmount(order.investmentAmount)} <span className="text-quiet">{order.currency}</span>
      </span>
    </FoundOption>
  )
}

interface TransferOptionProps {
  id: string
  candidate: Candidate
  isActive: boolean
  onChoose: () => void
}

/** A transfer of ours that was found for money which came in. */
function TransferOption({ id, candidate: { transfer }, isActive, onChoose }: TransferOptionProps) {
  if (!transfer) return null
  const { payeeName, payeeAccount, amount, currency, bookedOn, dueAgain } = transfer
  const details = [
    bookedOn ? `went out ${formatDay(bookedOn)}` : 'not booked',
    ...(payeeAccount ? [`to ${formatAccountNumber(payeeAccount)}`] : []),
    ...dueAgain.flatMap(({ orders }) => orders.map(({ orderNumber }) => `refund for ${orderNumber}`)),
  ]
  return (
    <FoundOption {...{ id, isActive, onChoose }}>
      <span className="min-w-0">
        <span className="font-semibold">Returned transfer</span>{' '}
        <bdi className="wrap-anywhere">to {payeeName ?? 'an unnamed payee'}</bdi>
        <span className="mt-0.5 block text-12 wrap-anywhere text-quiet">{details.join(', ')}</span>
      </span>
      <span className="whole-number tabular-nums">
        {formatAmount(amount)} <span className="text-quiet">{currency}</span>
      </span>
    </FoundOption>
  )
}
