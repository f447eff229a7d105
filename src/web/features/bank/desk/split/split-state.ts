import type { WriteOffCode, RefundCause } from '#contract/bank-allocations.ts'
import type { NewAllocation } from '#contract/schemas/bank-allocations.ts'
import type {
  Candidate,
  CandidateCredit,
  CandidateOrder,
  CandidateTransfer,
  CreditCandidate,
  OrderCandidate,
  ReturnCandidate,
} from '#contract/schemas/bank-candidates.ts'
import {
  addAmounts,
  compareAmounts,
  formatAmount,
  isZero,
  leastAmount,
  readPositiveAmount,
  subtractAmount,
} from '#web/bank/amounts.ts'
import { findMost } from '#web/features/bank/desk/line/candidate-allocations.ts'
import { calculatePayable, calculateShare, findProblem, listExcess, readTyped } from './split-orders.ts'

interface AllocationBase {
  /** Names the allocation within the split. */
  key: string
  /** As it stands in its field. */
  typed: string
}
export type SplitAllocation = AllocationBase &
  (
    | {
        purpose: 'order'
        order: CandidateOrder
        /** Why the order can't be paid, or why it needs a reason, as the server says of it. */
        refusal: string | null
        needsReason: string | null
      }
    | { purpose: 'refund'; cause: RefundCause; orderId: string | null }
    | { purpose: 'ignored'; code: WriteOffCode }
    /** Of money that went out: pays back what is due, and may close the rest of it. */
    | { purpose: 'payBack'; credit: CandidateCredit; closeAs: WriteOffCode | null; needsReason: string | null }
    | { purpose: 'takeBack'; credit: CandidateCredit; needsReason: string | null }
    /** Of money that came in: a transfer of ours that came back. */
    | { purpose: 'return'; transfer: CandidateTransfer; needsReason: string | null }
  )
export type CreditAllocation = Extract<SplitAllocation, { credit: unknown }>

/** A line's money in the making: what each allocation is for, and how much of it. */
export interface Split {
  allocations: SplitAllocation[]
  /** The operator chose to leave the rest open. */
  leavesRest: boolean
  /** How many places an amount of the line may have. */
  places: number
}

export type SplitAction =
  | { type: 'order'; candidate: OrderCandidate }
  | { type: 'refund'; cause: RefundCause; orderId: string | null }
  | { type: 'ignored'; code: WriteOffCode }
  | { type: 'credit'; candidate: Exclude<Candidate, OrderCandidate> }
  | { type: 'closeAs'; key: string; closeAs: WriteOffCode | null }
  | { type: 'typed'; key: string; typed: string }
  | { type: 'cause'; key: string; cause: RefundCause }
  | { type: 'code'; key: string; code: WriteOffCode }
  | { type: 'rest'; key: string }
  | { type: 'removed'; key: string }
  | { type: 'leavesRest'; leavesRest: boolean }

/** What is given out by the allocations whose amount can be read. */
export const sumAllocations = ({ allocations }: Split): string => addAmounts('0', ...allocations.map(readTyped))

/** What is left of `amount`; below 0 when too much is given out. */
export const calculateRest = (split: Split, amount: string): string => subtractAmount(amount, sumAllocations(split))

const isPositive = (amount: string) => compareAmounts(amount, '0') > 0
/** As a field shows it: without the separators, and empty for nothing. */
const write = (amount: string) => (isPositive(amount) ? formatAmount(amount) : '')

const buildOrderAllocation = (
  { refusal, needsReason }: OrderCandidate,
  order: CandidateOrder,
  amount: string,
): SplitAllocation => ({
  key: `order-${order.id}`,
  purpose: 'order',
  order,
  typed: write(amount),
  refusal,
  needsReason,
})

const listProposed = (candidate: OrderCandidate): SplitAllocation[] =>
  candidate.allocations.flatMap(({ orderId, amount }) =>
    candidate.orders.filter(({ id }) => id === orderId).map((order) => buildOrderAllocation(candidate, order, amount)),
  )

/** A split that begins with the orders of a candidate, or with nothing. */
export const startSplit = (candidate: OrderCandidate | undefined, places = 2): Split => ({
  allocations: candidate ? listProposed(candidate) : [],
  leavesRest: false,
  places,
})

/** What is due on a payment that is paid back, or can be taken back. */
export const findCreditMost = ({ purpose, credit }: CreditAllocation): string =>
  findMost(credit, purpose === 'takeBack')

/** What stays due on a payment that is paid back; 0 where nothing does, or the amount can't be read. */
export function calculateDueRest({ places }: Split, allocation: SplitAllocation): string {
  const { amount } = readPositiveAmount(allocation.typed, places)
  if (allocation.purpose !== 'payBack' || amount === undefined) return '0'
  const rest = subtractAmount(findCreditMost(allocation), amount)
  return isPositive(rest) ? rest : '0'
}

/** The allocation that returns the transfer of a candidate, as far as `rest` goes. */
function buildReturnAllocation(
  { allocations }: Split,
  { transfer, needsReason }: ReturnCandidate,
  rest: string,
): SplitAllocation[] {
  const key = `return-${transfer.lineId}`
  if (allocations.some((each) => each.key === key)) return []
  const typed = write(leastAmount(rest, transfer.returnable))
  return [{ key, purpose: 'return', transfer, typed, needsReason }]
}

/** The allocations that pay back or take back the payments of a candidate, as far as `rest` goes. */
function buildCreditAllocations(
  split: Split,
  { kind, credits, needsReason }: CreditCandidate,
  rest: string,
): SplitAllocation[] {
  const purpose = kind === 'reversal' ? 'takeBack' : 'payBack'
  let left = isPositive(rest) ? rest : '0'
  return credits.flatMap((credit) => {
    const key = `${purpose}-${credit.lineId}`
    if (split.allocations.some((each) => each.key === key)) return []
    const amount = leastAmount(left, findMost(credit, purpose === 'takeBack'))
    left = subtractAmount(left, amount)
    const common = { key, typed: write(amount), credit, needsReason }
    return purpose === 'takeBack' ? { ...common, purpose } : { ...common, purpose, closeAs: null }
  })
}

/** Each allocation has the amount that was open when it was added. An order gets no more than it waits for. */
export function reduceSplit(split: Split, action: SplitAction, amount: string): Split {
  const rest = calculateRest(split, amount)
  const add = (...allocations: SplitAllocation[]) => ({
    ...split,
    leavesRest: false,
    allocations: [...split.allocations, ...allocations],
  })
  const change = (key: string, changed: Partial<SplitAllocation>) => ({
    ...split,
    allocations: split.allocations.map((each) =>
      each.key === key ? ({ ...each, ...changed } as SplitAllocation) : each,
    ),
  })
  switch (action.type) {
    case 'order': {
      const { candidate } = action
      const [order] = candidate.orders
      if (!order || split.allocations.some(({ key }) => key === `order-${order.id}`)) return split
      return add(buildOrderAllocation(candidate, order, leastAmount(rest, calculatePayable(order))))
    }
    case 'refund':
      return add({
        key: findKey(split, 'refund'),
        purpose: 'refund',
        cause: action.cause,
        orderId: action.orderId,
        typed: write(rest),
      })
    case 'ignored':
      return add({ key: findKey(split, 'ignored'), purpose: 'ignored', code: action.code, typed: write(rest) })
    case 'credit':
      return add(
        ...(action.candidate.kind === 'return'
          ? buildReturnAllocation(split, action.candidate, rest)
          : buildCreditAllocations(split, action.candidate, rest)),
      )
    case 'closeAs':
      return change(action.key, { closeAs: action.closeAs })
    case 'typed':
      return { ...change(action.key, { typed: action.typed }), leavesRest: false }
    case 'cause':
      return change(action.key, { cause: action.cause })
    case 'code':
      return change(action.key, { code: action.code })
    case 'rest': {
      const chosen = split.allocations.find(({ key }) => key === action.key)
      return chosen
        ? change(action.key, { typed: write(addAmounts(readTyped(chosen), calculateShare(chosen, rest))) })
        : split
    }
    case 'removed':
      return { ...split, leavesRest: false, allocations: split.allocations.filter(({ key }) => key !== action.key) }
    case 'leavesRest':
      return { ...split, leavesRest: action.leavesRest }
  }
}

/** A key that no allocation of the split has. */
function findKey({ allocations }: Split, purpose: string): string {
  let count = 1
  while (allocations.some(({ key }) => key === `${purpose}-${count}`)) count += 1
  return `${purpose}-${count}`
}

/** Why the split can't be applied yet; null when it can. */
export function findObstacle(split: Split, amount: string, overpaidUpTo: string): string | null {
  if (split.allocations.length === 0) return 'Add what the money is for.'
  const isBad = ({ typed }: SplitAllocation) => readPositiveAmount(typed, split.places).amount === undefined
  if (split.allocations.some(isBad)) return 'Each part needs an amount such as 12.50.'
  const excess = listExcess(split.allocations, overpaidUpTo)
  const problem = split.allocations
    .map((each) => findProblem(each, excess.get(each.key) ?? '0'))
    .find((each) => each !== null)
  if (problem !== undefined) return problem
  const rest = calculateRest(split, amount)
  if (isZero(rest) || (isPositive(rest) && split.leavesRest)) return null
  return isPositive(rest) ? 'Applying works when the rest is 0.00.' : 'More is given out than the line has.'
}

/** The allocation that needs a reason: first an order that another than its member pays. */
export const findUnexplained = ({ allocations }: Split): SplitAllocation | undefined => {
  const asked = allocations.filter((each) => 'needsReason' in each && each.needsReason !== null)
  return (
    asked.find(({ purpose }) => purpose === 'order') ??
    asked[0] ??
    allocations.find((each) => each.purpose === 'refund' && each.cause === 'other')
  )
}

/** Why the split needs a reason; null where it needs none. */
export function findNeededReason(split: Split): string | null {
  const unexplained = findUnexplained(split)
  if (!unexplained) return null
  return 'needsReason' in unexplained ? unexplained.needsReason : 'Say why this is to be paid back.'
}

/** The allocations as the call takes them. */
export const listNewAllocations = (split: Split): NewAllocation[] =>
  split.allocations.map((each) => {
    const amount = readPositiveAmount(each.typed, split.places).amount ?? ''
    switch (each.purpose) {
      case 'order':
        return { purpose: 'order', orderId: each.order.id, amount }
      case 'refund':
        return { purpose: 'refund', cause: each.cause, amount, ...(each.orderId !== null && { orderId: each.orderId }) }
      case 'ignored':
        return { purpose: 'ignored', code: each.code, amount }
      case 'takeBack':
        return { purpose: 'reversal', lineId: each.credit.lineId, amount }
      case 'return':
        return { purpose: 'return', lineId: each.transfer.lineId, amount }
      case 'payBack': {
        const closes = each.closeAs !== null && isPositive(calculateDueRest(split, each))
        return { purpose: 'refund', lineId: each.credit.lineId, amount, ...(closes && { closeAs: each.closeAs! }) }
      }
    }
  })
