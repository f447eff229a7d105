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
import { cn } from '#web/lib/cn.ts'
import { OrderBadge } from '#web/members/order-badge.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { FoundOption, useChoiceByKeys } from './find-list.tsx'
import { MemberKey } from './member-key.tsx'

const mostFound = 20

/** Orders by number, member, e-mail or amount, those of the line's amount where nothing is typed. */
const foundQuery = (search: string) => ({
  ...buildQuery(orderRoutes.list, { query: { search, page: 1, limit: mostFound } }),
  placeholderData: keepPreviousData,
})

interface FindOrderDialogProps {
  line: BankLine
  open: string
  /** What speaks for and against the chosen order. */
  onFound: (candidate: Candidate, orderId: string) => void
  onClose: () => void
}

/** The found orders, and the way to choose one by keys while the focus stays in the field. */
function useOrderSearch({ line, open, onFound }: FindOrderDialogProps) {
  const [typed, setTyped] = useState('')
  const amountOfLine = formatAmount(open).replaceAll(',', '')
  const search = useDeferredValue(typed.trim()) || amountOfLine
  const found = useQuery(foundQuery(search))
  const orders = found.data?.orders ?? []
  const judge = useSingleMutation({
    mutationFn: ({ id: orderId }: Order) =>
      call(reconciliationRoutes.judge, { params: { id: line.id }, body: { orderId } }),
    onSuccess: ({ candidate }, order) => onFound(candidate, order.id),
  })
  // Enter waits for the orders of what was typed before it.
  const isWaiting = found.isFetching || search !== (typed.trim() || amountOfLine)
  const { at, restart, onKeyDown } = useChoiceByKeys({ found: orders, isWaiting, choose: judge.mutate })
  const type = (text: string) => {
    setTyped(text)
    restart()
  }
  return { typed, type, found, orders, at, judge, onKeyDown }
}

/** Finds an order that was not proposed. The server judges it like the others. */
export default function FindOrderDialog(props: FindOrderDialogProps) {
  const { typed, type, found, orders, at, judge, onKeyDown } = useOrderSearch(props)
  const id = useId()
  return (
    <Dialog title="Find an order" onClose={props.onClose} locked={judge.isPending} className="max-w-150!">
      <div className="shrink-0 px-5 pt-3">
        <Input
          role="combobox"
          aria-label="Search orders"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={orders.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          placeholder="Order number, member, e-mail, amount..."
          value={typed}
          maxLength={200}
          onChange={({ target }) => type(target.value)}
          onKeyDown={onKeyDown}
        />
        <FieldError>{judge.error && describeError(judge.error)}</FieldError>
        <output className="mt-2 block text-12 text-quiet">{describeState(found, typed, orders.length)}</output>
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Orders"
        className={cn('min-h-24 overflow-y-auto px-3 pt-1 pb-3', found.isPlaceholderData && 'opacity-60')}
      >
        {orders.map((order, index) => (
          <OrderOption
            key={order.id}
            id={`${id}-${index}`}
            order={order}
            isActive={index === at}
            onChoose={() => judge.mutate(order)}
          />
        ))}
      </div>
    </Dialog>
  )
}

function describeState({ error, isPending }: { error: unknown; isPending: boolean }, typed: string, count: number) {
  if (error) return `The orders could not be loaded: ${describeError(error)}`
  if (isPending) return 'Searching...'
  if (count === 0) return typed.trim() ? `No order matches “${typed.trim()}”.` : 'No order has the amount of this line.'
  if (typed.trim()) return count === mostFound ? `The first ${mostFound} orders` : `${count} found`
  return 'Orders with the amount of this line'
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
