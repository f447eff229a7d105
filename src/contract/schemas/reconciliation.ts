import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { ignoreCodes, matchFlags, matchOutcomes, partPurposes, refundCauses } from '#contract/reconciliation.ts'
import { NullableDay } from './bank-figures.ts'
import { BankPolicy, PolicyChange, SavedPolicy } from './bank-policy.ts'
import { RefundDue } from './bank-refunds.ts'
import { CandidateTransfer, TransferReturn } from './bank-returns.ts'
import { BankLine, PayerClaims } from './bank.ts'
import { RowId, SearchText, Timestamp } from './common.ts'
import { FoundReference } from './found-reference.ts'
import { MemberPayers } from './member-payers.ts'
import { Order, OrderStatus, PaidVia } from './orders.ts'
import { ApplyExact, ApplyParts, UndoPart, UndoParts } from './part-changes.ts'
import { RestoredPart } from './restored-part.ts'

/** What a candidate or a found order shows of an order. Amounts are decimal strings in `currency`. */
export const CandidateOrder = z.object({
  id: z.string(),
  orderNumber: z.string(),
  userId: z.string(),
  userFirstName: z.nullable(z.string()),
  userLastName: z.nullable(z.string()),
  /** Tells namesakes apart. */
  userEmail: z.string(),
  userBanned: z.boolean(),
  projectName: z.string(),
  investmentAmount: z.string(),
  received: z.string(),
  /** What it still waits for; of a closed order 0. */
  outstanding: z.string(),
  currency: z.string(),
  status: OrderStatus,
  /** `hand`: an operator marked it paid. `bank`: the bank's money covers it. */
  paidVia: PaidVia,
  /** The account that the member is asked to pay to, without blanks. Null where the order names none. */
  iban: z.nullable(z.string()),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type CandidateOrder = z.infer<typeof CandidateOrder>

/** A reason in plain words. `for`: it is proved. `check`: it proves nothing, and a person looks at it. */
export const MatchReason = z.object({ text: z.string(), speaks: z.enum(['for', 'check', 'against']) })
export type MatchReason = z.infer<typeof MatchReason>

/** An earlier payment that money which went out takes back or pays back. */
export const CandidateCredit = z.object({
  lineId: z.string(),
  /** The account of ours that it came to. */
  accountId: z.string(),
  accountName: z.string(),
  bookedOn: z.nullable(z.string()),
  amount: z.string(),
  currency: z.string(),
  payerName: z.nullable(z.string()),
  payerAccount: z.nullable(z.string()),
  /** How much of it is to be paid back and has not gone out. Null where nothing is. */
  refundDue: z.nullable(z.string()),
  /** What that is made of. */
  refundsDue: z.array(RefundDue),
  /** How much of it the bank can take back. */
  returnable: z.string(),
})
export type CandidateCredit = z.infer<typeof CandidateCredit>

/** How the line's money would be applied: to orders, or as the return of a transfer; of a debit, the credit that it takes back or pays back. */
export const Candidate = z.object({
  orders: z.array(CandidateOrder),
  credit: z.nullable(CandidateCredit),
  /** What one transfer pays back besides, up to four. */
  moreCredits: z.array(CandidateCredit),
  /** The transfer that money which came in returns. */
  transfer: z.nullable(CandidateTransfer),
  /** How the money would be divided among the orders. */
  parts: z.array(z.object({ orderId: z.string(), amount: z.string() })),
  outcome: z.enum(matchOutcomes),
  flags: z.array(z.enum(matchFlags)),
  /** 0 to 100. */
  score: z.int(),
  isLikely: z.boolean(),
  reasons: z.array(MatchReason),
  /** Why it cannot be applied, as the call to apply it would say; null where it can. */
  refusal: z.nullable(z.string()),
  /** Whether applying it needs a reason, and why: the message of the refusal without one. Null where it needs none. */
  needsReason: z.nullable(z.string()),
  /** The accounts that the member has paid from so far, where this payment comes from another. Else empty. */
  usualAccounts: z.array(z.string()),
})
export type Candidate = z.infer<typeof Candidate>

/** A part of a line's money with one purpose. It is never changed, only undone, once. */
export const BankPart = z.object({
  id: z.string(),
  lineId: z.string(),
  purpose: z.enum(partPurposes),
  amount: z.string(),
  currency: z.string(),
  /** Of `order`: the order that it pays. Of `refund`: the order that it was meant for, if any. */
  order: z.nullable(z.object({ id: z.string(), orderNumber: z.string(), userId: z.string() })),
  /** Of `refund`, `reversal` and `return`: the line on the other side. Null while a refund is due. */
  otherLineId: z.nullable(z.string()),
  cause: z.nullable(z.enum(refundCauses)),
  /** Of a `refund` of money that came in: what of it has not gone out yet. Null for other parts, and for those undone. */
  refundDue: z.nullable(z.string()),
  /** Of a `refund` that is due: the latest transfer of its line that came back. */
  returned: z.nullable(TransferReturn),
  code: z.nullable(z.enum(ignoreCodes)),
  reason: z.nullable(z.string()),
  /** `exact`: applied with others by the policy's rules. `hand`: decided alone. */
  rule: z.enum(['exact', 'hand']),
  /** What was shown when it was decided. */
  evidence: z.object({
    score: z.nullable(z.int()),
    outcome: z.nullable(z.enum(matchOutcomes)),
    flags: z.array(z.enum(matchFlags)),
    reasons: z.array(MatchReason),
  }),
  madeBy: z.string(),
  madeAt: Timestamp,
  undoneBy: z.nullable(z.string()),
  undoneAt: z.nullable(Timestamp),
  undoReason: z.nullable(z.string()),
  /** Why it cannot be undone, as the call would say; null where it can, and once it is undone. */
  undoRefusal: z.nullable(z.string()),
  /** What undoing it brings back, and what it cannot. */
  restores: z.array(RestoredPart),
  /** Of `order`: other payments of the order that are to be paid back because it was paid twice, and have not gone out. */
  paidTwice: z.array(z.object({ lineId: z.string(), bookedOn: NullableDay, amount: z.string(), currency: z.string() })),
})
export type BankPart = z.infer<typeof BankPart>

export const BankLineDetail = z.object({
  line: BankLine,
  /** Who has it open now. Null when nobody has. */
  claim: z.nullable(z.object({ by: z.string(), until: Timestamp, isMine: z.boolean() })),
  candidates: z.array(Candidate),
  /** How many candidates fit as well as the first. With 2 or more none of them is the first. */
  equallyGood: z.int(),
  /** Why the policy does not allow it to be applied with others, whether it is on or off. Null where it allows it. */
  obstacle: z.nullable(z.string()),
  found: z.array(FoundReference),
  /** Newest first, with those undone. */
  parts: z.array(BankPart),
})
export type BankLineDetail = z.infer<typeof BankLineDetail>

/** A payment of an order: an active or undone part with its line. */
export const OrderPayment = z.object({
  part: BankPart,
  line: z.object({
    id: z.string(),
    accountId: z.string(),
    accountName: z.string(),
    statementNumber: z.nullable(z.string()),
    place: z.string(),
    bookedOn: z.nullable(z.string()),
    amount: z.string(),
    payer: z.object({ name: z.nullable(z.string()), account: z.nullable(z.string()) }),
    claims: PayerClaims,
  }),
})
export type OrderPayment = z.infer<typeof OrderPayment>

/** A line that is work and may pay an order. */
const WaitingLine = z.object({
  id: z.string(),
  /** What of it has no purpose yet. */
  open: z.string(),
  currency: z.string(),
  bookedOn: NullableDay,
  payer: z.nullable(z.string()),
  text: z.string(),
})

export const OrderPayments = z.object({
  asked: z.string(),
  received: z.string(),
  outstanding: z.string(),
  currency: z.string(),
  paidVia: PaidVia,
  /** What the bank took back of the payments that were on the order, and has not undone since. */
  takenBack: z.string(),
  /** Newest first, with those undone. */
  payments: z.array(OrderPayment),
  /** Lines that are work and name the order, or fit it best, oldest first. */
  waiting: z.array(WaitingLine),
  /** ISO 11649, without blanks. */
  reference: z.string(),
  /** The text of the EPC QR code for what is outstanding; null where there can be none, and `epcRefusal` says why. */
  epc: z.nullable(z.string()),
  epcRefusal: z.nullable(z.string()),
})
export type OrderPayments = z.infer<typeof OrderPayments>

const params = z.object({ id: z.string() })
const claimed = z.object({ claimedUntil: Timestamp })
const changed = z.object({ message: z.string(), line: BankLine, orders: z.array(Order) })
const undone = z.object({ ...changed.shape, restored: z.array(RestoredPart) })

export const reconciliationSchemas = {
  line: {
    summary: 'One line of a statement, what it may pay and why, and the outcome of its money',
    params,
    reply: BankLineDetail,
  },
  claim: {
    summary: 'Keep other operators from a line for a while, or prolong it',
    params,
    reply: claimed,
    refuses: ['line_claimed'],
  },
  release: { summary: 'Let go of a line', params },
  judge: {
    summary: 'What speaks for and against a line paying a certain order, such as one that an operator searched for',
    params,
    body: z.strictObject({ orderId: RowId }),
    reply: z.object({ candidate: Candidate }),
  },
  credits: {
    summary:
      'Earlier payments that money which went out may pay back or take back, or transfers that money which came in may return',
    params,
    query: z.object({ search: SearchText }),
    reply: z.object({ candidates: z.array(Candidate) }),
  },
  apply: {
    summary: 'Give parts of a line’s money their purposes',
    params,
    body: ApplyParts,
    reply: z.object({ ...changed.shape, parts: z.array(BankPart) }),
    refuses: [
      'payer_differs',
      'line_claimed',
      'line_state',
      'line_amount',
      'line_account',
      'line_direction',
      'order_state',
      'order_amount',
      'order_currency',
    ],
  },
  applyExact: {
    summary: 'Apply lines that fit exactly, each in its own transaction',
    body: ApplyExact,
    reply: z.object({
      /** `partIds`: the parts that were made, which can be undone. */
      applied: z.array(z.object({ id: z.string(), orderNumbers: z.array(z.string()), partIds: z.array(z.string()) })),
      skipped: z.array(z.object({ id: z.string(), message: z.string() })),
    }),
    refuses: ['policy_off'],
  },
  undo: {
    summary: 'Undo a part: line and order are as if it had never been',
    params,
    body: UndoPart,
    reply: undone,
    refuses: ['part_undone', 'order_state', 'line_amount'],
  },
  undoParts: {
    summary: 'Undo parts of one line, all of them or none',
    params,
    body: UndoParts,
    reply: undone,
    refuses: ['part_undone', 'order_state', 'line_amount'],
  },
  policy: {
    summary: 'What may be applied together, and how often that would have been right so far',
    reply: z.object({ policy: BankPolicy }),
  },
  savePolicy: { summary: 'Change the reconciliation policy', body: PolicyChange, reply: SavedPolicy },
  orderPayments: { summary: "The bank's money on an order, and how to pay the rest", params, reply: OrderPayments },
  memberPayers: {
    summary: "The bank accounts a member has paid from, and payments of the member's orders by others",
    params,
    reply: MemberPayers,
  },
} satisfies Record<string, RouteSchemas>
