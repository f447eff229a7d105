import type { IgnoreCode, RefundCause } from '#contract/bank-allocations.ts'
import type { NewPart } from '#contract/schemas/bank-allocations.ts'
import type {
  Candidate,
  CandidateCredit,
  CandidateOrder,
  CandidateTransfer,
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
import { findMost, listCredits } from '#web/features/bank/desk/line/candidate-parts.ts'
import { calculateRoom, calculateShare, findPartProblem, listExcess, readPartAmount } from './split-orders.ts'

interface PartBase {
  /** Names the part within the split. */
  key: string
  /** As it stands in its field. */
  typed: string
}
export type SplitPart = PartBase &
  (
    | {
        purpose: 'order'
        order: CandidateOrder
        /** Why the order can't be paid, or why it needs a reason, as the server says of it. */
        refusal: string | null
        needsReason: string | null
      }
    | { purpose: 'refund'; cause: RefundCause; orderId: string | null }
    | { purpose: 'ignored'; code: IgnoreCode }
    /** Of money that went out: pays back what is due, and may close the rest of it. */
    | { purpose: 'payBack'; credit: CandidateCredit; closeAs: IgnoreCode | null; needsReason: string | null }
    | { purpose: 'takeBack'; credit: CandidateCredit; needsReason: string | null }
    /** Of money that came in: a transfer of ours that came back. */
    | { purpose: 'return'; transfer: CandidateTransfer; needsReason: string | null }
  )
export type CreditPart = Extract<SplitPart, { credit: unknown }>

/** A line's money in the making: what each part is for, and how much of it. */
export interface Split {
  parts: SplitPart[]
  /** The operator chose to leave the rest open. */
  leavesRest: boolean
  /** How many places an amount of the line may have. */
  places: number
}

export type SplitAction =
  | { type: 'order'; candidate: Candidate; orderId: string }
  | { type: 'refund'; cause: RefundCause; orderId: string | null }
  | { type: 'ignored'; code: IgnoreCode }
  | { type: 'credit'; candidate: Candidate }
  | { type: 'closeAs'; key: string; closeAs: IgnoreCode | null }
  | { type: 'typed'; key: string; typed: string }
  | { type: 'cause'; key: string; cause: RefundCause }
  | { type: 'code'; key: string; code: IgnoreCode }
  | { type: 'rest'; key: string }
  | { type: 'removed'; key: string }
  | { type: 'leavesRest'; leavesRest: boolean }

/** What is given out by the parts whose amount can be read. */
export const sumParts = ({ parts }: Split): string => addAmounts('0', ...parts.map(readPartAmount))

/** What is left of `amount`; below 0 when too much is given out. */
export const calculateRest = (split: Split, amount: string): string => subtractAmount(amount, sumParts(split))

const isPositive = (amount: string) => compareAmounts(amount, '0') > 0
/** As a field shows it: without the separators, and empty for nothing. */
const write = (amount: string) => (isPositive(amount) ? formatAmount(amount) : '')

const buildOrderPart = (candidate: Candidate, orderId: string, amount: string): SplitPart[] =>
  candidate.orders
    .filter(({ id }) => id === orderId)
    .map((order) => ({
      key: `order-${order.id}`,
      purpose: 'order',
      order,
      typed: write(amount),
      refusal: candidate.refusal,
      needsReason: candidate.needsReason,
    }))

/** A split that begins with what a candidate proposes, or with nothing. */
export const startSplit = (candidate: Candidate | undefined, places = 2): Split => ({
  parts: (candidate?.parts ?? []).flatMap(({ orderId, amount }) =>
    candidate ? buildOrderPart(candidate, orderId, amount) : [],
  ),
  leavesRest: false,
  places,
})

/** What is due on a payment that is paid back, or can be taken back. */
export const findPartMost = ({ purpose, credit }: CreditPart): string => findMost(credit, purpose === 'takeBack')

/** What stays due on a payment that is paid back; 0 where nothing does, or the amount can't be read. */
export function calculateDueRest({ places }: Split, part: SplitPart): string {
  const { amount } = readPositiveAmount(part.typed, places)
  if (part.purpose !== 'payBack' || amount === undefined) return '0'
  const rest = subtractAmount(findPartMost(part), amount)
  return isPositive(rest) ? rest : '0'
}

/** The part that returns the transfer of a candidate, as far as `rest` goes. */
function buildReturnPart(
  { parts }: Split,
  transfer: CandidateTransfer,
  candidate: Candidate,
  rest: string,
): SplitPart[] {
  const key = `return-${transfer.lineId}`
  if (parts.some((part) => part.key === key)) return []
  const typed = write(leastAmount(rest, transfer.returnable))
  return [{ key, purpose: 'return', transfer, typed, needsReason: candidate.needsReason }]
}

/** The parts that a candidate without orders gives, as far as `rest` goes. */
function buildCreditParts(split: Split, candidate: Candidate, rest: string): SplitPart[] {
  if (candidate.transfer) return buildReturnPart(split, candidate.transfer, candidate, rest)
  const purpose = candidate.outcome === 'reversal' ? 'takeBack' : 'payBack'
  let left = isPositive(rest) ? rest : '0'
  return listCredits(candidate).flatMap((credit) => {
    const key = `${purpose}-${credit.lineId}`
    if (split.parts.some((part) => part.key === key)) return []
    const amount = leastAmount(left, findMost(credit, purpose === 'takeBack'))
    left = subtractAmount(left, amount)
    const part = { key, typed: write(amount), credit, needsReason: candidate.needsReason }
    return purpose === 'takeBack' ? { ...part, purpose } : { ...part, purpose, closeAs: null }
  })
}

/** Each part has the amount that was open when it was added. An order gets no more than it waits for. */
export function reduceSplit(split: Split, action: SplitAction, amount: string): Split {
  const rest = calculateRest(split, amount)
  const add = (...parts: SplitPart[]) => ({ ...split, leavesRest: false, parts: [...split.parts, ...parts] })
  const change = (key: string, changed: Partial<SplitPart>) => ({
    ...split,
    parts: split.parts.map((part) => (part.key === key ? ({ ...part, ...changed } as SplitPart) : part)),
  })
  switch (action.type) {
    case 'order': {
      const { candidate, orderId } = action
      if (split.parts.some(({ key }) => key === `order-${orderId}`)) return split
      const order = candidate.orders.find(({ id }) => id === orderId)
      return add(...buildOrderPart(candidate, orderId, leastAmount(rest, order ? calculateRoom(order) : '0')))
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
      return add(...buildCreditParts(split, action.candidate, rest))
    case 'closeAs':
      return change(action.key, { closeAs: action.closeAs })
    case 'typed':
      return { ...change(action.key, { typed: action.typed }), leavesRest: false }
    case 'cause':
      return change(action.key, { cause: action.cause })
    case 'code':
      return change(action.key, { code: action.code })
    case 'rest': {
      const part = split.parts.find(({ key }) => key === action.key)
      return part
        ? change(action.key, { typed: write(addAmounts(readPartAmount(part), calculateShare(part, rest))) })
        : split
    }
    case 'removed':
      return { ...split, leavesRest: false, parts: split.parts.filter(({ key }) => key !== action.key) }
    case 'leavesRest':
      return { ...split, leavesRest: action.leavesRest }
  }
}

/** A key that no part of the split has. */
function findKey({ parts }: Split, purpose: string): string {
  let count = 1
  while (parts.some(({ key }) => key === `${purpose}-${count}`)) count += 1
  return `${purpose}-${count}`
}

/** Why the split can't be applied yet; null when it can. */
export function findObstacle(split: Split, amount: string, overpaidUpTo: string): string | null {
  if (split.parts.length === 0) return 'Add what the money is for.'
  const isBad = ({ typed }: SplitPart) => readPositiveAmount(typed, split.places).amount === undefined
  if (split.parts.some(isBad)) return 'Each part needs an amount such as 12.50.'
  const excess = listExcess(split.parts, overpaidUpTo)
  const problem = split.parts
    .map((part) => findPartProblem(part, excess.get(part.key) ?? '0'))
    .find((each) => each !== null)
  if (problem !== undefined) return problem
  const rest = calculateRest(split, amount)
  if (isZero(rest) || (isPositive(rest) && split.leavesRest)) return null
  return isPositive(rest) ? 'Applying works when the rest is 0.00.' : 'More is given out than the line has.'
}

/** The part that needs a reason: first an order that another than its member pays. */
export const findPartToExplain = ({ parts }: Split): SplitPart | undefined => {
  const asked = parts.filter((part) => 'needsReason' in part && part.needsReason !== null)
  return (
    asked.find(({ purpose }) => purpose === 'order') ??
    asked[0] ??
    parts.find((part) => part.purpose === 'refund' && part.cause === 'other')
  )
}

/** Why the split needs a reason; null where it needs none. */
export function findNeededReason(split: Split): string | null {
  const part = findPartToExplain(split)
  if (!part) return null
  return 'needsReason' in part ? part.needsReason : 'Say why this is to be paid back.'
}

/** The parts as the call takes them. */
export const listNewParts = (split: Split): NewPart[] =>
  split.parts.map((part) => {
    const amount = readPositiveAmount(part.typed, split.places).amount ?? ''
    switch (part.purpose) {
      case 'order':
        return { purpose: 'order', orderId: part.order.id, amount }
      case 'refund':
        return { purpose: 'refund', cause: part.cause, amount, ...(part.orderId !== null && { orderId: part.orderId }) }
      case 'ignored':
        return { purpose: 'ignored', code: part.code, amount }
      case 'takeBack':
        return { purpose: 'reversal', lineId: part.credit.lineId, amount }
      case 'return':
        return { purpose: 'return', lineId: part.transfer.lineId, amount }
      case 'payBack': {
        const closes = part.closeAs !== null && isPositive(calculateDueRest(split, part))
        return { purpose: 'refund', lineId: part.credit.lineId, amount, ...(closes && { closeAs: part.closeAs! }) }
      }
    }
  })
