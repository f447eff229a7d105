import * as z from 'zod/mini'
import { refundCauses } from '#contract/reconciliation.ts'
import { TransferReturn } from './bank-returns.ts'

/** Money of a line that is to be paid back and has not gone out. */
export const RefundDue = z.object({
  /** Of the part, as events for the platform name it. */
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
