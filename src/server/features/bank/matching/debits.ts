import { toUnits } from '#server/lib/decimal.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { isSameText } from '#server/features/bank/statements/readers/text.ts'
import type { MatchOutcome } from '#contract/bank-allocations.ts'
import { addPoints, type CreditCandidate, listTrue, type Reason } from './candidate.ts'
import { isOtherAccount, isOtherHolder, type MatchOptions } from './line-facts.ts'
import { type Evidence, findEvidence } from './references.ts'
import { repeatsText, isReturn, isReturnOfBank } from './return-texts.ts'
import { findSetsOfSum, mostTriedTogether } from './sums.ts'
import type { EarlierCredit, MatchLookup } from './lookup.ts'

/** Amount and currency alone are no reason to take a debit for a returned credit. */
const fewestPoints = 50

const refundIsDue: Reason = { points: 50, text: 'A refund of it is due' }
const orderStaysCompleted: Reason = { points: -5, text: 'Its order is completed and stays so: the money is then owed' }
const wentToOther: Reason = { points: -20, text: 'The money went to another than the payer' }

interface DebitMatches {
  /** Without candidates. */
  outcome: MatchOutcome
  candidates: CreditCandidate[]
  /** The orders that the line names. */
  named: Evidence[]
}

/** Whether just this amount of the credit is to be paid back. */
const isDueOf = (line: StatementLine, { refundDue }: EarlierCredit) =>
  refundDue !== null && toUnits(refundDue) === toUnits(line.amount)

/** A bank takes back only what it booked on the same account. */
const isOfAccount = ({ accountId }: MatchOptions, credit: EarlierCredit) =>
  accountId === undefined || accountId === credit.accountId

/** A return takes back what the credit paid. What is due pays back, unless the bank says otherwise and there is something to take. */
function findCreditKind(line: StatementLine, credit: EarlierCredit): CreditCandidate['kind'] {
  if (isDueOf(line, credit) && (credit.allocations.length === 0 || !isReturnOfBank(line))) return 'refund'
  return isReturn(line) ? 'reversal' : 'refund'
}

/** The credits that a debit may take back or pay back. Without any it is a reversal of something else, or an expense. */
export function matchDebit(line: StatementLine, lookup: MatchLookup, options: MatchOptions = {}): DebitMatches {
  const named = findEvidence(line, lookup)
  const single = lookup
    .findCredits(line.currency, line.amount)
    .filter((credit) => isEarlier(line, credit) && isLinkedCredit(line, credit, named))
    .filter((credit) => findCreditKind(line, credit) === 'refund' || isOfAccount(options, credit))
    .map((credit) =>
      scoreCredit(line, credit, findCreditKind(line, credit), listCreditReasons(line, credit, named), options),
    )
    .filter(({ points }) => points >= fewestPoints)
  return {
    outcome: isReturn(line) ? 'reversal' : 'outgoing',
    candidates: [...single, ...findRefundSets(line, lookup, named), ...findPartialRefunds(line, lookup, named)],
    named: [...named.values()],
  }
}

/**
 * What a debit may do with a credit that an operator searched for: pay back what is due, or take back the rest where the credit
 * came to the same account.
 */
export function scoreFoundCredit(
  line: StatementLine,
  credit: EarlierCredit,
  lookup: MatchLookup,
  options: MatchOptions = {},
): CreditCandidate[] {
  const named = findEvidence(line, lookup)
  const kinds: CreditCandidate['kind'][] = []
  if (credit.refundDue !== null) kinds.push('refund')
  if (toUnits(credit.returnable) > 0n && isOfAccount(options, credit)) kinds.push('reversal')
  const plain = listCreditReasons(line, credit, named).filter(({ text }) => text !== refundIsDue.text)
  return kinds.map((kind) =>
    scoreCredit(line, credit, kind, kind === 'refund' ? [...plain, refundIsDue] : plain, options),
  )
}

/** One credit that is paid back or taken back. That the money went to another than the payer speaks against taking back. */
function scoreCredit(
  line: StatementLine,
  credit: EarlierCredit,
  kind: CreditCandidate['kind'],
  reasons: Reason[],
  options: MatchOptions,
): CreditCandidate {
  if (kind === 'refund') return buildCreditCandidate(kind, [credit], reasons)
  const isCompleted = credit.orders.some(({ status }) => status === 'completed')
  const against = listTrue([
    [isOtherPayee(line, credit, options), wentToOther],
    [isCompleted, orderStaysCompleted],
  ])
  return buildCreditCandidate(kind, [credit], [...reasons, ...against])
}

/** Whether the money went to another than the credit came from. Some banks name us as the payee of a return. */
function isOtherPayee({ counterparty }: StatementLine, credit: EarlierCredit, { account: own }: MatchOptions): boolean {
  const payee = { account: counterparty.iban ?? counterparty.account, name: counterparty.name }
  if (own && payee.account && !isOtherAccount(payee, { account: own, name: null })) return false
  return isOtherHolder(payee, { account: credit.payerAccount, name: credit.payerName })
}

type NamedOrders = ReadonlyMap<string, Evidence>

const buildCreditCandidate = (
  kind: CreditCandidate['kind'],
  credits: readonly EarlierCredit[],
  reasons: Reason[],
): CreditCandidate => ({
  kind,
  ...addPoints(reasons),
  credits,
  orders: [...new Map(credits.flatMap(({ orders }) => orders.map((order) => [order.id, order]))).values()],
  allocations: credits.flatMap(({ allocations }) => allocations),
})

const isEarlier = (line: StatementLine, { bookedOn }: EarlierCredit) =>
  !bookedOn || !line.bookedOn || bookedOn <= line.bookedOn

/** Refunds to the account of the debit that are due, and exactly its amount together. */
function findRefundSets(line: StatementLine, lookup: MatchLookup, named: NamedOrders): CreditCandidate[] {
  const { iban } = line.counterparty
  if (!iban || isReturnOfBank(line)) return []
  const due = lookup.findDueCredits(iban, line.currency).filter((credit) => isEarlier(line, credit))
  const sets = findSetsOfSum(due.slice(0, mostTriedTogether), getDue, toUnits(line.amount))
  return sets.map((credits) => {
    const isNamed = credits.some((credit) => namesOrder(named, credit))
    const reasons = [
      { points: 30 - 3 * credits.length, text: `The amount is that of ${credits.length} refunds together` },
      { points: 20, text: 'Goes to the account that paid' },
      { points: 50, text: 'All of them are due' },
      ...(isNamed ? [{ points: 40, text: 'Names an order of theirs' }] : []),
    ]
    return buildCreditCandidate('refund', credits, reasons)
  })
}

/** Refunds to the account of the debit that are due, name what the debit names, and are more than it. */
function findPartialRefunds(line: StatementLine, lookup: MatchLookup, named: NamedOrders): CreditCandidate[] {
  const { iban } = line.counterparty
  if (!iban || isReturnOfBank(line)) return []
  return lookup
    .findDueCredits(iban, line.currency)
    .filter((credit) => isEarlier(line, credit) && getDue(credit) > toUnits(line.amount))
    .filter((credit) => namesOrder(named, credit) || hasRefundText(line, credit))
    .slice(0, mostTriedTogether)
    .map((credit) => {
      const partial = { points: 20, text: 'The amount is a part of what is due', isDoubtful: true }
      // In place of that of the whole refund.
      const plain = listCreditReasons(line, credit, named).filter(({ text }) => text !== refundIsDue.text)
      return buildCreditCandidate('refund', [credit], [partial, ...plain])
    })
}

/** Whether more than the amount leads from the line to the credit. */
const isLinkedCredit = (line: StatementLine, credit: EarlierCredit, named: NamedOrders) =>
  namesOrder(named, credit) ||
  isSameText(line.endToEndId, credit.endToEndId) ||
  isSameText(line.counterparty.iban, credit.payerAccount) ||
  isSameText(line.counterparty.name, credit.payerName) ||
  hasRefundText(line, credit)

/** Whether the line has the text that is proposed for the transfer of what is due. */
const hasRefundText = (line: StatementLine, { refundText }: EarlierCredit) =>
  refundText !== null && repeatsText(line, refundText)

/** Whether the line names an order that the credit has paid, or that a refund of it was meant for. */
const namesOrder = (named: NamedOrders, { orders, refundOrders }: EarlierCredit) =>
  [...orders, ...refundOrders].some(({ id }) => named.has(id))

const getDue = ({ refundDue }: EarlierCredit): bigint => toUnits(refundDue ?? '0')

function listCreditReasons(line: StatementLine, credit: EarlierCredit, named: NamedOrders): Reason[] {
  const { iban, name } = line.counterparty
  const isRefundDue = isDueOf(line, credit)
  const isWhole = toUnits(credit.amount) === toUnits(line.amount)
  const isTextOfRefund = isRefundDue && hasRefundText(line, credit)
  const facts: [boolean, Reason][] = [
    [
      isWhole || isRefundDue,
      { points: 30, text: isWhole ? 'The amount came in before' : 'The amount is the part to refund' },
    ],
    // Nobody else writes this text. Its order is then named with it.
    [isTextOfRefund, { points: 60, text: 'Has the text of its refund' }],
    [!isTextOfRefund && namesOrder(named, credit), { points: 40, text: nameOrderFact(named, credit) }],
    [isSameText(line.endToEndId, credit.endToEndId), { points: 30, text: 'Repeats the end-to-end id of the payment' }],
    [isSameText(iban, credit.payerAccount), { points: 20, text: 'Goes to the account that paid' }],
    [isSameText(name, credit.payerName), { points: 10, text: 'Names the payer' }],
    [isReturnOfBank(line), { points: 10, text: 'The bank calls it a return' }],
    [isReturn(line) && !isReturnOfBank(line), { points: 10, text: 'The text calls it a return', isDoubtful: true }],
    // More than a name of the order: a return of the payment that stands beside it would undo a paid order.
    [!isReturnOfBank(line) && isRefundDue, refundIsDue],
  ]
  return listTrue(facts)
}

const nameOrderFact = (named: NamedOrders, { orders }: EarlierCredit) =>
  orders.some(({ id }) => named.has(id)) ? 'Names the order that was paid' : 'Names the order of its refund'
