import { toUnits } from '#server/lib/decimal.ts'
import type { StatementLine } from '#server/features/bank/readers/statement.ts'
import type { Candidate, Reason } from './judge.ts'
import type { MatchOutcome } from '#contract/reconciliation.ts'
import { type Evidence, findEvidence } from './references.ts'
import type { EarlierCredit, MatchWorld } from './world.ts'

const returnWords = /RETOURE|RETURN|STORNO|REVERS|DEVOLU|RUECKLASTSCHR|TERUGBOEK/i
/** Amount and currency alone are no reason to take a debit for a returned credit. */
const fewestPoints = 50

interface DebitMatches {
  /** Without candidates. */
  outcome: MatchOutcome
  candidates: Candidate[]
  /** The orders that the line names. */
  named: Evidence[]
}

/** Whether the bank says that the debit takes a payment back. */
const isReturnOfBank = ({ isReversal, returnReason, info }: StatementLine) =>
  isReversal || returnReason !== null || info.some((text) => returnWords.test(text))

/** Whether bank or text say so. Of a refund that we sent the text is our own. */
const isReturn = (line: StatementLine) => isReturnOfBank(line) || line.remittance.some((text) => returnWords.test(text))

/** Whether just this amount of the credit is to be paid back. */
const isDueOf = (line: StatementLine, { refundDue }: EarlierCredit) =>
  refundDue !== null && toUnits(refundDue) === toUnits(line.amount)

/** A return takes back what the credit paid. What is due pays back, unless the bank says otherwise and there is something to take. */
function findOutcome(line: StatementLine, credit: EarlierCredit): MatchOutcome {
  if (isDueOf(line, credit) && (credit.parts.length === 0 || !isReturnOfBank(line))) return 'refund'
  return isReturn(line) ? 'reversal' : 'refund'
}

/** The credits that a debit may take back or pay back. Without any it is a reversal of something else, or an expense. */
export function matchDebit(line: StatementLine, world: MatchWorld): DebitMatches {
  const named = findEvidence(line, world)
  const candidates = world
    .findCredits(line.currency, line.amount)
    .filter(({ bookedOn }) => !bookedOn || !line.bookedOn || bookedOn <= line.bookedOn)
    .map((credit): Candidate => {
      const reasons = judgeCredit(line, credit, (orderId) => named.has(orderId))
      return {
        orders: credit.orders,
        credit,
        parts: [...credit.parts],
        outcome: findOutcome(line, credit),
        flags: [],
        points: reasons.reduce((sum, { points }) => sum + points, 0),
        reasons,
        evidence: credit.orders.map(({ id }) => named.get(id) ?? null),
        payer: null,
        isBanned: false,
      }
    })
    .filter(({ points }) => points >= fewestPoints)
  return { outcome: isReturn(line) ? 'reversal' : 'outgoing', candidates, named: [...named.values()] }
}

function judgeCredit(line: StatementLine, credit: EarlierCredit, isNamed: (orderId: string) => boolean): Reason[] {
  const { iban, name } = line.counterparty
  const isRefundDue = isDueOf(line, credit)
  const isWhole = toUnits(credit.amount) === toUnits(line.amount)
  const facts: [boolean, Reason][] = [
    [
      isWhole || isRefundDue,
      { points: 30, text: isWhole ? 'The amount came in before' : 'The amount is the part to refund' },
    ],
    [credit.orders.some(({ id }) => isNamed(id)), { points: 40, text: 'Names the order that was paid' }],
    [isSame(line.endToEndId, credit.endToEndId), { points: 30, text: 'Repeats the end-to-end id of the payment' }],
    [isSame(iban, credit.payerAccount), { points: 20, text: 'Goes to the account that paid' }],
    [isSame(name, credit.payerName), { points: 10, text: 'Names the payer' }],
    [isReturnOfBank(line), { points: 10, text: 'The bank calls it a return' }],
    [isReturn(line) && !isReturnOfBank(line), { points: 10, text: 'The text calls it a return' }],
    // More than a name of the order: a return of the payment that stands beside it would undo a paid order.
    [!isReturnOfBank(line) && isRefundDue, { points: 50, text: 'A refund of it is due' }],
  ]
  return facts.flatMap(([isTrue, reason]) => (isTrue ? [reason] : []))
}

const isSame = (one: string | null, other: string | null) => one !== null && one !== '' && one === other
