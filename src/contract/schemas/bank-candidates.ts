import * as z from 'zod/mini'
import { evidenceKinds, matchFlags, matchOutcomes, refundCauses } from '#contract/bank-allocations.ts'
import { Timestamp } from './common.ts'
import { OrderStatus, PaidVia } from './orders.ts'

/** What the payer wrote of who pays. It suggests, and proves nothing. */
export const PayerClaims = z.object({
  /** On whose behalf it was paid. */
  ultimate: z.nullable(z.string()),
  /** A name and an IBAN in the payment's text. */
  name: z.nullable(z.string()),
  account: z.nullable(z.string()),
})

/** A line by which a transfer of ours came back. */
export const TransferReturn = z.object({
  lineId: z.string(),
  bookedOn: z.nullable(z.string()),
  /** Why, as the bank wrote it: mostly a code of ISO 20022 such as AC04. Null where it gave none. */
  reason: z.nullable(z.string()),
})
export type TransferReturn = z.infer<typeof TransferReturn>

/** Money of a line that is to be paid back and has not gone out. */
export const RefundDue = z.object({
  /** Of the allocation, as events for the platform name it. */
  id: z.string(),
  /** The order that it was meant for, if any. */
  order: z.nullable(z.object({ id: z.string(), orderNumber: z.string() })),
  cause: z.enum(refundCauses),
  amount: z.string(),
  /** What of the amount has not gone out. What went out pays the earliest refund of the line first. */
  due: z.string(),
  /** The latest transfer of its line that came back, which is why this is due again. Null where none did. */
  returned: z.nullable(TransferReturn),
})
export type RefundDue = z.infer<typeof RefundDue>

/** What names an order in the line's texts: `text` as it stands there, with a line break where two texts meet. */
export const FoundReference = z.object({ text: z.string(), kind: z.enum(evidenceKinds), orderNumber: z.string() })
export type FoundReference = z.infer<typeof FoundReference>

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

/** A transfer of ours that money which came in may return. */
export const CandidateTransfer = z.object({
  lineId: z.string(),
  bookedOn: z.nullable(z.string()),
  amount: z.string(),
  currency: z.string(),
  payeeName: z.nullable(z.string()),
  payeeAccount: z.nullable(z.string()),
  /** How much of it can have come back. */
  returnable: z.string(),
  /** What banks kept of it: put aside on the transfer as their fee. 0 where all of it came back. */
  kept: z.string(),
  /** What it paid back and will be due again, with the orders that the refunds were meant for. */
  dueAgain: z.array(
    z.object({ amount: z.string(), orders: z.array(z.object({ id: z.string(), orderNumber: z.string() })) }),
  ),
})
export type CandidateTransfer = z.infer<typeof CandidateTransfer>

const scored = {
  /** 0 to 100. */
  score: z.int(),
  isLikely: z.boolean(),
  reasons: z.array(MatchReason),
  /** Whether applying it needs a reason, and why: the message of the refusal without one. Null where it needs none. */
  needsReason: z.nullable(z.string()),
}
const withOrders = {
  ...scored,
  orders: z.array(CandidateOrder),
  /** What of the money goes to each of the orders, or went there. */
  allocations: z.array(z.object({ orderId: z.string(), amount: z.string() })),
}

/** Orders of one member that money which came in would pay. */
const OrderCandidate = z.object({
  ...withOrders,
  kind: z.literal('order'),
  outcome: z.enum(matchOutcomes),
  flags: z.array(z.enum(matchFlags)),
  /** Why it cannot be applied, as the call to apply it would say; null where it can. */
  refusal: z.nullable(z.string()),
  /** The accounts that the member has paid from so far, where this payment comes from another. Else empty. */
  usualAccounts: z.array(z.string()),
})
export type OrderCandidate = z.infer<typeof OrderCandidate>

/** Up to five payments that money which went out pays back, or one that it takes back, with the orders that they have paid. */
const CreditCandidate = z.object({
  ...withOrders,
  kind: z.enum(['refund', 'reversal']),
  credits: z.array(CandidateCredit),
})
export type CreditCandidate = z.infer<typeof CreditCandidate>

/** The transfer that money which came in returns. */
const ReturnCandidate = z.object({ ...scored, kind: z.literal('return'), transfer: CandidateTransfer })
export type ReturnCandidate = z.infer<typeof ReturnCandidate>

/** How the line's money would be applied. */
export const Candidate = z.discriminatedUnion('kind', [OrderCandidate, CreditCandidate, ReturnCandidate])
export type Candidate = z.infer<typeof Candidate>
