import * as z from 'zod/mini'
import { bankDirections } from '#contract/bank.ts'
import { partPurposes } from '#contract/reconciliation.ts'

/** A part that a decision has undone on the line of the other side, and that comes back when this decision is undone. */
export const RestoredPart = z.object({
  purpose: z.enum(partPurposes),
  /** Of its line: a `refund` of a debit has paid back, one of a credit is to be paid back. */
  direction: z.enum(bankDirections),
  amount: z.string(),
  currency: z.string(),
  orderNumber: z.nullable(z.string()),
  /** The day of the line that it is a part of. */
  bookedOn: z.nullable(z.string()),
  /** Why it does not come back, so that its money stays open on that line; null where it does. */
  refusal: z.nullable(z.string()),
})
export type RestoredPart = z.infer<typeof RestoredPart>
