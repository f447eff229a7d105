import * as z from 'zod/mini'
import { ignoreCodes, maxPartReason, mostExactLines, mostParts, refundCauses } from '#contract/reconciliation.ts'
import { RowId, text } from './common.ts'

/** More than 0, at most 5 places, which the database checks against line and order. */
const PartAmount = z.string().check(
  z.regex(/^\d{1,15}(\.\d{1,5})?$/, 'must be a decimal string such as 12.50'),
  z.refine((value) => /[1-9]/.test(value), 'must be more than 0'),
)

/**
 * Of a credit: `order` pays one, `refund` with its cause sets money aside to be paid back, `return` names the transfer that came back
 * by `lineId`, `ignored` puts it aside. Of a debit: `reversal` and `refund` name the credit on the other side, `ignored` puts it aside.
 */
export const NewPart = z.discriminatedUnion('purpose', [
  z.strictObject({ purpose: z.literal('order'), orderId: RowId, amount: PartAmount }),
  z.strictObject({
    purpose: z.literal('refund'),
    amount: PartAmount,
    cause: z.optional(z.enum(refundCauses)),
    /** The order that the money was meant for; the platform is told of it. */
    orderId: z.optional(RowId),
    lineId: z.optional(RowId),
    /** Of a debit: what is still due on that line after it is no longer due, but put aside for this reason. */
    closeAs: z.optional(z.enum(ignoreCodes)),
  }),
  z.strictObject({ purpose: z.literal('reversal'), lineId: RowId, amount: PartAmount }),
  z.strictObject({ purpose: z.literal('return'), lineId: RowId, amount: PartAmount }),
  z.strictObject({ purpose: z.literal('ignored'), amount: PartAmount, code: z.enum(ignoreCodes) }),
])
export type NewPart = z.infer<typeof NewPart>

const Reason = z.optional(z.nullable(text(maxPartReason)))

export const ApplyParts = z.strictObject({
  parts: z
    .array(NewPart)
    .check(z.minLength(1, 'must hold a part'), z.maxLength(mostParts, `must hold at most ${mostParts}`)),
  /** Needed for a flagged payer, for a refund for another cause, and for one to another account than the payment came from. */
  reason: Reason,
})
export type ApplyParts = z.infer<typeof ApplyParts>

export const UndoPart = z.strictObject({ reason: text(maxPartReason, 1) })
export type UndoPart = z.infer<typeof UndoPart>

export const UndoParts = z.strictObject({
  partIds: z.array(RowId).check(
    z.minLength(1, 'must name a part'),
    z.maxLength(mostParts, `must name at most ${mostParts}`),
    z.refine((ids) => new Set(ids).size === ids.length, 'must name each part once'),
  ),
  reason: text(maxPartReason, 1),
})
export type UndoParts = z.infer<typeof UndoParts>

export const ApplyExact = z.strictObject({
  lines: z
    .array(z.strictObject({ id: RowId, version: z.int() }))
    .check(z.minLength(1, 'must hold a line'), z.maxLength(mostExactLines, `must hold at most ${mostExactLines}`)),
})
export type ApplyExact = z.infer<typeof ApplyExact>
