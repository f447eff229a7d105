import * as z from 'zod/mini'
import { Timestamp } from './common.ts'

export const MemberPayers = z.object({
  /** The accounts from which the member has paid, the latest first. */
  accounts: z.array(
    z.object({
      account: z.string(),
      confirmedBy: z.string(),
      confirmedAt: Timestamp,
      payments: z.int(),
      lastOn: z.nullable(z.string()),
      /** How many other members were confirmed for it too. */
      sharedWith: z.int(),
    }),
  ),
  /** Payments of the member's orders that another person made, the latest first. */
  thirdParty: z.array(
    z.object({
      lineId: z.string(),
      bookedOn: z.nullable(z.string()),
      payer: z.object({ name: z.nullable(z.string()), account: z.nullable(z.string()) }),
      amount: z.string(),
      currency: z.string(),
      order: z.object({ id: z.string(), orderNumber: z.string() }),
      reason: z.nullable(z.string()),
      madeBy: z.string(),
      madeAt: Timestamp,
    }),
  ),
})
export type MemberPayers = z.infer<typeof MemberPayers>
