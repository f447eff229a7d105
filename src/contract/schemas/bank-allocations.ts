import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import {
  writeOffCodes,
  matchFlags,
  matchOutcomes,
  maxAllocationReason,
  mostExactLines,
  mostAllocations,
  allocationPurposes,
  refundCauses,
} from '#contract/bank-allocations.ts'
import { bankDirections } from '#contract/bank.ts'
import { Candidate, FoundReference, MatchReason, PayerClaims, TransferReturn } from './bank-candidates.ts'
import { NullableDay } from './bank-figures.ts'
import { BankPolicy, PolicyChange, SavedPolicy } from './bank-policy.ts'
import { BankLine } from './bank.ts'
import { RowId, SearchText, text, Timestamp } from './common.ts'
import { MemberPayers } from './member-payers.ts'
import { Note } from './notes.ts'
import { Order, PaidVia } from './orders.ts'

/** An allocation that a decision has undone on the line of the other side, and that comes back when this decision is undone. */
export const RestoredAllocation = z.object({
  purpose: z.enum(allocationPurposes),
  /** Of its line: a `refund` of a debit has paid back, one of a credit is to be paid back. */
  direction: z.enum(bankDirections),
  amount: z.string(),
  currency: z.string(),
  orderNumber: z.nullable(z.string()),
  /** The day of the line that it is an allocation of. */
  bookedOn: z.nullable(z.string()),
  /** Why it does not come back, so that its money stays open on that line; null where it does. */
  refusal: z.nullable(z.string()),
})
export type RestoredAllocation = z.infer<typeof RestoredAllocation>

/** An allocation of a line's money with one purpose. It is never changed, only undone, once. */
export const BankAllocation = z.object({
  id: z.string(),
  lineId: z.string(),
  purpose: z.enum(allocationPurposes),
  amount: z.string(),
  currency: z.string(),
  /** Of `order`: the order that it pays. Of `refund`: the order that it was meant for, if any. */
  order: z.nullable(z.object({ id: z.string(), orderNumber: z.string(), userId: z.string() })),
  /** Of `refund`, `reversal` and `return`: the line on the other side. Null while a refund is due. */
  otherLineId: z.nullable(z.string()),
  cause: z.nullable(z.enum(refundCauses)),
  /** Of a `refund` of money that came in: what of it has not gone out yet. Null for other allocations, and for those undone. */
  refundDue: z.nullable(z.string()),
  /** Of a `refund` that is due: the latest transfer of its line that came back. */
  returned: z.nullable(TransferReturn),
  code: z.nullable(z.enum(writeOffCodes)),
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
  restores: z.array(RestoredAllocation),
  /** Of `order`: other payments of the order that are to be paid back because it was paid twice, and have not gone out. */
  paidTwice: z.array(z.object({ lineId: z.string(), bookedOn: NullableDay, amount: z.string(), currency: z.string() })),
})
export type BankAllocation = z.infer<typeof BankAllocation>

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
  allocations: z.array(BankAllocation),
  /** The pinned first, else newest first. Empty for who may not view notes. */
  notes: z.array(Note),
})
export type BankLineDetail = z.infer<typeof BankLineDetail>

/** A payment of an order: an active or undone allocation with its line. */
export const OrderPayment = z.object({
  allocation: BankAllocation,
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

/** More than 0, at most 5 places, which the database checks against line and order. */
const AllocationAmount = z.string().check(
  z.regex(/^\d{1,15}(\.\d{1,5})?$/, 'must be a decimal string such as 12.50'),
  z.refine((value) => /[1-9]/.test(value), 'must be more than 0'),
)

/**
 * Of a credit: `order` pays one, `refund` with its cause sets money aside to be paid back, `return` names the transfer that came back
 * by `lineId`, `ignored` puts it aside. Of a debit: `reversal` and `refund` name the credit on the other side, `ignored` puts it aside.
 */
export const NewAllocation = z.discriminatedUnion('purpose', [
  z.strictObject({ purpose: z.literal('order'), orderId: RowId, amount: AllocationAmount }),
  z.strictObject({
    purpose: z.literal('refund'),
    amount: AllocationAmount,
    cause: z.optional(z.enum(refundCauses)),
    /** The order that the money was meant for; the platform is told of it. */
    orderId: z.optional(RowId),
    lineId: z.optional(RowId),
    /** Of a debit: what is still due on that line after it is no longer due, but put aside for this reason. */
    closeAs: z.optional(z.enum(writeOffCodes)),
  }),
  z.strictObject({ purpose: z.literal('reversal'), lineId: RowId, amount: AllocationAmount }),
  z.strictObject({ purpose: z.literal('return'), lineId: RowId, amount: AllocationAmount }),
  z.strictObject({ purpose: z.literal('ignored'), amount: AllocationAmount, code: z.enum(writeOffCodes) }),
])
export type NewAllocation = z.infer<typeof NewAllocation>

const Reason = z.optional(z.nullable(text(maxAllocationReason)))

export const ApplyAllocations = z.strictObject({
  allocations: z
    .array(NewAllocation)
    .check(
      z.minLength(1, 'must hold an allocation'),
      z.maxLength(mostAllocations, `must hold at most ${mostAllocations}`),
    ),
  /** Needed for a flagged payer, for a refund for another cause, and for one to another account than the payment came from. */
  reason: Reason,
})
export type ApplyAllocations = z.infer<typeof ApplyAllocations>

export const UndoAllocation = z.strictObject({ reason: text(maxAllocationReason, 1) })
export type UndoAllocation = z.infer<typeof UndoAllocation>

export const UndoAllocations = z.strictObject({
  allocationIds: z.array(RowId).check(
    z.minLength(1, 'must name an allocation'),
    z.maxLength(mostAllocations, `must name at most ${mostAllocations}`),
    z.refine((ids) => new Set(ids).size === ids.length, 'must name each allocation once'),
  ),
  reason: text(maxAllocationReason, 1),
})
export type UndoAllocations = z.infer<typeof UndoAllocations>

export const ApplyExact = z.strictObject({
  lines: z
    .array(z.strictObject({ id: RowId, version: z.int() }))
    .check(z.minLength(1, 'must hold a line'), z.maxLength(mostExactLines, `must hold at most ${mostExactLines}`)),
})
export type ApplyExact = z.infer<typeof ApplyExact>

const params = z.object({ id: z.string() })
const claimed = z.object({ claimedUntil: Timestamp })
const changed = z.object({ message: z.string(), line: BankLine, orders: z.array(Order) })
const undone = z.object({ ...changed.shape, restored: z.array(RestoredAllocation) })

export const allocationSchemas = {
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
  score: {
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
    summary: 'Allocate a line’s money, each amount with its purpose',
    params,
    body: ApplyAllocations,
    reply: z.object({ ...changed.shape, allocations: z.array(BankAllocation) }),
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
      /** `allocationIds`: the allocations that were made, which can be undone. */
      applied: z.array(
        z.object({ id: z.string(), orderNumbers: z.array(z.string()), allocationIds: z.array(z.string()) }),
      ),
      skipped: z.array(z.object({ id: z.string(), message: z.string() })),
    }),
    refuses: ['policy_off'],
  },
  undo: {
    summary: 'Undo an allocation: line and order are as if it had never been',
    params,
    body: UndoAllocation,
    reply: undone,
    refuses: ['allocation_undone', 'order_state', 'line_amount'],
  },
  undoAllocations: {
    summary: 'Undo allocations of one line, all of them or none',
    params,
    body: UndoAllocations,
    reply: undone,
    refuses: ['allocation_undone', 'order_state', 'line_amount'],
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
