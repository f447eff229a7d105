import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RefundCause } from '#contract/bank-allocations.ts'
import type { BankPolicy } from '#contract/schemas/bank-policy.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankLineDetail, NewAllocation } from '#contract/schemas/bank-allocations.ts'
import type { Candidate, CandidateOrder, OrderCandidate } from '#contract/schemas/bank-candidates.ts'
import { compareAmounts, countPlaces } from '#web/bank/amounts.ts'
import {
  calculateLeft,
  calculateOpen,
  findFirstChoice,
  findOrderId,
  listCandidateAllocations,
  listCandidateOrders,
  nameCandidate,
  suggestCause,
} from './candidate-allocations.ts'
import { scoredQuery } from '#web/features/bank/desk/queries.ts'
import type { ReasonSubject } from './quick-reasons.ts'
import { listExcess, listOrderIds, renewOrders } from '#web/features/bank/desk/split/split-orders.ts'
import {
  calculateRest,
  findNeededReason,
  findObstacle,
  findUnexplained,
  listNewAllocations,
  reduceSplit,
  type Split,
  type SplitAction,
  startSplit,
} from '#web/features/bank/desk/split/split-state.ts'

/** The candidates of a line with those that the operator searched for, and the chosen one. */
function useChoice(lineId: string, detail: BankLineDetail | undefined) {
  const [presses, setPresses] = useState(0)
  const [foundByHand, setFoundByHand] = useState<Candidate[]>([])
  // Kept by name, so that a proposal that comes meanwhile never slips under a press. Undefined: none was there yet.
  const [chosenName, setChosenName] = useState<string | null>()
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const proposed = detail?.candidates ?? []
  const names = new Set(proposed.map(nameCandidate))
  const others = foundByHand.filter((each) => !names.has(nameCandidate(each)))
  const scored = useScoredOrders(lineId, others.filter(({ kind }) => kind === 'order').map(nameCandidate))
  const candidates = [...proposed, ...others.map((each) => scored.get(nameCandidate(each)) ?? each)]
  if (detail && chosenName === undefined && proposed.length > 0) setChosenName(findFirstChoice(detail))
  const chosen = candidates.find((each) => nameCandidate(each) === chosenName)
  const isSeen = !chosen || seen.has(nameCandidate(chosen))
  return {
    candidates,
    chosen,
    /** The card of the chosen one has been on the screen. */
    isSeen,
    markSeen: (candidate: Candidate) => setSeen((before) => new Set([...before, nameCandidate(candidate)])),
    showUnseen: () => {
      if (!isSeen) setPresses((now) => now + 1)
    },
    /** How often the operator has chosen, which brings the chosen one into view again. */
    presses,
    choose: (candidate: Candidate) => {
      setChosenName(nameCandidate(candidate))
      setPresses((now) => now + 1)
    },
    addFound: (candidate: Candidate) => {
      setFoundByHand((now) => [...now.filter((each) => nameCandidate(each) !== nameCandidate(candidate)), candidate])
      setChosenName(nameCandidate(candidate))
      setPresses((now) => now + 1)
    },
  }
}

/** What of the policy decides how a line is split. */
type SplitPolicy = Pick<BankPolicy, 'overpaidUpTo' | 'feeTolerance'>
/** Until the policy is loaded. */
const strictPolicy: SplitPolicy = { overpaidUpTo: '0', feeTolerance: '0' }

/** A split that begins with what a candidate proposes, or with nothing. */
function startProposed(line: BankLine, candidate: Candidate | undefined): Split {
  const places = countPlaces(line.amount)
  if (!candidate || candidate.kind === 'order') return startSplit(candidate, places)
  return reduceSplit(startSplit(undefined, places), { type: 'credit', candidate }, calculateOpen(line))
}

/** The split of money that went out. As much as a bank takes beside what is due is proposed as its fee. */
function beginDebitSplit(line: BankLine, candidate: Candidate | undefined, feeTolerance: string): Split {
  const split = startProposed(line, candidate)
  if (!candidate) return split
  const open = calculateOpen(line)
  const rest = calculateRest(split, open)
  const isFee = compareAmounts(rest, '0') > 0 && compareAmounts(rest, feeTolerance) <= 0
  return isFee ? reduceSplit(split, { type: 'ignored', code: 'fee' }, open) : split
}

/** The split that a candidate begins. What it leaves is proposed to be paid back where the payment is too large. */
function beginCreditSplit(line: BankLine, candidate: Candidate | undefined, leftFor: RefundCause | null): Split {
  const split = startProposed(line, candidate)
  if (leftFor === null) return split
  return reduceSplit(split, { type: 'refund', cause: leftFor, orderId: findOrderId(candidate) }, calculateOpen(line))
}

export interface NeededReason {
  /** Why it is needed. */
  why: string
  subject: ReasonSubject
  /** The order whose payer is to be explained. */
  order: CandidateOrder | undefined
}

function findReasonOfSplit(split: Split): NeededReason | null {
  const why = findNeededReason(split)
  const allocation = findUnexplained(split)
  if (why === null || !allocation || allocation.purpose === 'ignored') return null
  return { why, subject: allocation.purpose, order: allocation.purpose === 'order' ? allocation.order : undefined }
}

/** What a reason for applying a candidate explains. */
const reasonSubjects = { order: 'order', refund: 'payBack', reversal: 'takeBack', return: 'return' } as const

function findReasonOfCandidate(candidate: Candidate): NeededReason | null {
  const { kind, needsReason: why } = candidate
  return why === null ? null : { why, subject: reasonSubjects[kind], order: listCandidateOrders(candidate)[0] }
}

const findChoiceObstacle = (chosen: Candidate | undefined) =>
  chosen?.kind === 'order' ? chosen.refusal : chosen ? null : ''

/** What the operator does with a line until it is sent: the chosen candidate, or a split, and the reason. */
export function useLineWork(line: BankLine, detail: BankLineDetail | undefined, policy = strictPolicy) {
  const { overpaidUpTo } = policy
  const choice = useChoice(line.id, detail)
  const { chosen } = choice
  const [started, setSplit] = useState<Split | null>(null)
  const scored = useScoredOrders(line.id, started ? listOrderIds(started.allocations) : [])
  const split = started && renewOrders(started, scored)
  const [isSplitEdited, setSplitEdited] = useState(false)
  const [reason, setReason] = useState('')
  const open = calculateOpen(line)
  const proposed = chosen ? listCandidateAllocations(chosen, line, overpaidUpTo) : []
  const neededReason = split ? findReasonOfSplit(split) : chosen ? findReasonOfCandidate(chosen) : null
  const obstacle = split ? findObstacle(split, open, overpaidUpTo) : findChoiceObstacle(chosen)
  return {
    ...choice,
    open,
    split,
    reason,
    setReason,
    /** What orders get too much, by the key of their allocation. */
    excess: listExcess(split?.allocations ?? [], overpaidUpTo),
    /** Null where what is chosen needs none. */
    neededReason,
    isReasonMissing: neededReason !== null && reason.trim() === '',
    /** Why what is chosen can't be applied; null where it can, empty where nothing is chosen. */
    obstacle,
    isEdited: () => isSplitEdited || reason.trim() !== '',
    beginSplit: (leftFor: RefundCause | null = null) => {
      const isCredit = line.direction === 'credit'
      setSplit(isCredit ? beginCreditSplit(line, chosen, leftFor) : beginDebitSplit(line, chosen, policy.feeTolerance))
      setSplitEdited(false)
    },
    changeSplit: (action: SplitAction) => {
      setSplit((now) => now && reduceSplit(renewOrders(now, scored), action, open))
      setSplitEdited(true)
    },
    cancelSplit: () => {
      setSplit(null)
      setSplitEdited(false)
    },
    /** Whether the chosen candidate leaves money that needs a purpose: applying it begins a split. */
    leavesRest: !split && proposed.length > 0 && compareAmounts(calculateLeft(proposed, line), '0') > 0,
    suggestedCause: suggestCause(chosen),
    listAllocations: (): NewAllocation[] => (split ? listNewAllocations(split) : proposed),
  }
}
export type LineWork = ReturnType<typeof useLineWork>

/** Orders that an operator chose, by their ids, as they are now: fetched again with the line, no matter who changes them. */
function useScoredOrders(lineId: string, orderIds: readonly string[]): ReadonlyMap<string, OrderCandidate> {
  const { data = [] } = useQuery({ ...scoredQuery(lineId, orderIds), enabled: orderIds.length > 0 })
  const scored = data.flatMap(({ candidate }) => (candidate.kind === 'order' ? [candidate] : []))
  return new Map(scored.flatMap((candidate) => candidate.orders.map(({ id }) => [id, candidate] as const)))
}
