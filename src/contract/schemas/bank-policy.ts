import * as z from 'zod/mini'
import { Timestamp } from './common.ts'

const PolicyAmount = z.string().check(z.regex(/^\d{1,13}(\.\d{1,2})?$/, 'must be a decimal string such as 35.00'))

const policyFields = {
  /** Whether exact payments may be applied together, in one press. Off at first. */
  autoApply: z.boolean(),
  /** A payment that names several orders of a member and is exactly their sum counts as exact. */
  autoCombined: z.boolean(),
  /** The exact rest of an order that had part of its money before counts as exact. */
  autoRemainder: z.boolean(),
  /** `same`: the payer has the member's whole name. `initial`: “A LIMA”, or one of several names, is enough. */
  payerName: z.enum(['same', 'initial']),
  /** What the banks between may keep of a transfer: such a payment is still suggested. */
  feeTolerance: PolicyAmount,
  /** How many days after its end an order may still be paid by money that was booked by then. */
  graceDays: z.int().check(z.gte(0, 'must be 0 to 7'), z.lte(7, 'must be 0 to 7')),
  /** Up to this much too much is put aside by itself. Above, a person says what it is for. */
  overpaidUpTo: PolicyAmount,
  /** Whether money of another payer needs a reason, and a refund to another account than the payment came from. */
  reasonForThirdParty: z.boolean(),
  /** A larger payment never counts as exact. Null for no limit. */
  maxAutoAmount: z.nullable(PolicyAmount),
}
export const PolicyChange = z.strictObject(policyFields)
export type PolicyChange = z.infer<typeof PolicyChange>

export const BankPolicy = z.object({
  ...policyFields,
  version: z.int(),
  changedBy: z.nullable(z.string()),
  changedAt: z.nullable(Timestamp),
  /**
   * Of the lines that operators decided one by one and that the policy would have applied, those that it would have
   * applied to the same orders.
   */
  confirmed: z.object({ right: z.int(), total: z.int() }),
})
export type BankPolicy = z.infer<typeof BankPolicy>

export const SavedPolicy = z.object({ message: z.string(), policy: BankPolicy })
