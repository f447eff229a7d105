import { compactIban } from '#contract/iban.ts'
import { describeReturnReason } from '#contract/return-reasons.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { isSameText } from '#server/features/bank/statements/readers/text.ts'
import { addPoints, listTrue, type Reason, type ReturnCandidate } from './candidate.ts'
import { addDays, getLineDay } from './days.ts'
import { type MatchOptions, isOtherHolder } from './line-facts.ts'
import { type ChosenAllocations, chooseAllocations } from './sums.ts'
import type { EarlierTransfer, MatchLookup, TransferAllocation } from './lookup.ts'
import { type Evidence, findEvidence, foldNumber } from './references.ts'
import { repeatsText, hasReturnCode, isReturn, isReturnOfBank } from './return-texts.ts'

/** How long after a transfer what comes back is looked for by account and amount. */
export const mostReturnDays = 60

/** The fewest characters of a bank's reference, or of a text, that cannot be in another one by chance. */
const fewestCharacters = 6

/** What speaks for a line returning a transfer. */
interface Links {
  /** An id that the return repeats. */
  id: boolean
  account: boolean
  text: boolean
  order: boolean
  isExact: boolean
}

function findLinks(line: StatementLine, transfer: EarlierTransfer, named: ReadonlyMap<string, Evidence>): Links {
  const { iban, account } = line.counterparty
  const payer = iban ?? account
  return {
    id:
      isSameText(line.endToEndId, transfer.endToEndId) ||
      isSameText(line.uetr, transfer.uetr) ||
      repeatsReference(line, transfer.bankReference),
    account:
      payer !== null && transfer.payeeAccount !== null && compactIban(payer) === compactIban(transfer.payeeAccount),
    text: repeatsRemittance(line, transfer),
    order: transfer.allocations.some(({ orders }) => orders.some(({ id }) => named.has(id))),
    isExact:
      toUnits(line.amount) === toUnits(transfer.amount) ||
      transfer.allocations.some(({ amount }) => toUnits(amount) === toUnits(line.amount)),
  }
}

const repeatsReference = (line: StatementLine, reference: string | null) =>
  reference !== null && foldNumber(reference).length >= fewestCharacters && repeatsText(line, reference)

function repeatsRemittance(line: StatementLine, { remittance }: EarlierTransfer): boolean {
  const text = remittance.join(' ')
  return foldNumber(text).length >= fewestCharacters && repeatsText(line, text)
}

/** The payer of what was paid back may use the end-to-end id of that again: then it tells nothing of itself. */
const isIdOfPayment = ({ endToEndId }: StatementLine, { allocations }: EarlierTransfer) =>
  endToEndId !== null && allocations.some((allocation) => allocation.endToEndId === endToEndId)

/** Whether more than chance leads from the line to the transfer (product 7.12). */
function isLinked(line: StatementLine, transfer: EarlierTransfer, links: Links): boolean {
  const isRefund = transfer.allocations.some(({ purpose }) => purpose === 'refund')
  if (links.id && (isReturn(line) || (isRefund && !isIdOfPayment(line, transfer)))) return true
  if (!isReturn(line) || !isRecent(line, transfer)) return false
  if (links.text || (links.account && (links.isExact || isReturnOfBank(line)))) return true
  return links.isExact && hasReturnCode(line)
}

function isRecent(line: StatementLine, { bookedOn }: EarlierTransfer): boolean {
  const day = getLineDay(line)
  return day === null || bookedOn === null || addDays(bookedOn, mostReturnDays) >= day
}

/** Whether the transfer left before the line came, and can have come back with so much. */
const canReturn = (line: StatementLine, { bookedOn, currency, returnable }: EarlierTransfer) =>
  currency === line.currency &&
  toUnits(returnable) >= toUnits(line.amount) &&
  (bookedOn === null || line.bookedOn === null || bookedOn <= line.bookedOn)

/** The transfers that money which came in may return. */
export function matchReturns(
  line: StatementLine,
  lookup: MatchLookup,
  { accountId }: MatchOptions = {},
): ReturnCandidate[] {
  const transfers = lookup.findTransfers(accountId).filter((transfer) => canReturn(line, transfer))
  if (transfers.length === 0) return []
  const named = findEvidence(line, lookup)
  return transfers
    .map((transfer) => ({ transfer, links: findLinks(line, transfer, named) }))
    .filter(({ transfer, links }) => isLinked(line, transfer, links))
    .map(({ transfer, links }) => buildReturnCandidate(line, transfer, links))
}

/** A transfer that an operator searched for. */
export const scoreFoundTransfer = (
  line: StatementLine,
  transfer: EarlierTransfer,
  lookup: MatchLookup,
): ReturnCandidate => buildReturnCandidate(line, transfer, findLinks(line, transfer, findEvidence(line, lookup)))

/** What of the transfer goes if so much of it has come back. */
export const findReturnedAllocations = (
  { counterparty }: Pick<StatementLine, 'counterparty'>,
  { allocations, open }: Pick<EarlierTransfer, 'allocations' | 'open'>,
  amount: string,
): ChosenAllocations<TransferAllocation> =>
  chooseReturnedAllocations(
    allocations,
    { amount: toUnits(amount), open: toUnits(open) },
    ({ payerAccount }) => payerAccount !== null && payerAccount === (counterparty.iban ?? counterparty.account),
  )

const money = (units: bigint, currency: string) => `${fromUnits(units)} ${currency}`

function listTransferReasons(line: StatementLine, transfer: EarlierTransfer, links: Links): Reason[] {
  const { kept } = findReturnedAllocations(line, transfer, line.amount)
  const payer = { account: line.counterparty.iban ?? line.counterparty.account, name: line.counterparty.name }
  const payee = { account: transfer.payeeAccount, name: transfer.payeeName }
  const isOther = !links.id && isOtherHolder(payer, payee)
  const facts: [boolean, Reason][] = [
    [links.id, { points: 60, text: 'Repeats the reference of the transfer' }],
    [links.isExact, { points: 30, text: 'The amount is that of the transfer' }],
    [
      kept > 0n,
      { points: 5, text: `${money(kept, line.currency)} less than went out: put aside as a fee`, isDoubtful: true },
    ],
    [links.text, { points: 40, text: 'Repeats the text of the transfer' }],
    [links.order && !links.text, { points: 20, text: 'Names the order of the refund' }],
    [links.account, { points: 20, text: 'Comes from the account that was paid' }],
    [isSameText(line.counterparty.name, transfer.payeeName), { points: 10, text: 'Names the payee' }],
    [isReturnOfBank(line), { points: 15, text: describeReturn(line) }],
    [isReturn(line) && !isReturnOfBank(line), { points: 10, text: 'The text calls it a return', isDoubtful: true }],
    [isOther, { points: -20, text: 'Comes from another than the payee' }],
  ]
  return listTrue(facts)
}

const describeReturn = ({ returnReason }: StatementLine) =>
  returnReason === null ? 'The bank calls it a return' : `The bank returned it: ${describeReturnReason(returnReason)}`

const buildReturnCandidate = (line: StatementLine, transfer: EarlierTransfer, links: Links): ReturnCandidate => ({
  kind: 'return',
  ...addPoints(listTransferReasons(line, transfer, links)),
  transfer,
})

interface MovableAllocation {
  purpose: string
  amount: string
}

/**
 * The allocations of a transfer that go when `amount` of it has come back: one of just this amount; else, beyond what is open, the smallest
 * refund that is larger, since banks return a transfer as a whole less their charges; else refunds, the newest first, and then what
 * was put aside. `allocations` are the newest first. Of equal ones the first that is `meant`.
 */
export function chooseReturnedAllocations<Item extends MovableAllocation>(
  allocations: readonly Item[],
  { amount, open }: { amount: bigint; open: bigint },
  isMeant: (allocation: Item) => boolean,
): ChosenAllocations<Item> {
  const byMeaning = [...allocations.filter(isMeant), ...allocations.filter((allocation) => !isMeant(allocation))]
  const refunds = byMeaning.filter(({ purpose }) => purpose === 'refund')
  const larger = refunds
    .filter((refund) => toUnits(refund.amount) >= amount - open)
    .toSorted((one, other) => Number(toUnits(one.amount) - toUnits(other.amount)))
  const asides = byMeaning.filter(({ purpose }) => purpose === 'ignored')
  return chooseAllocations([...larger.slice(0, 1), ...refunds, ...asides], amount, open)
}
