import * as z from 'zod/mini'

/** A line by which a transfer of ours came back. */
export const TransferReturn = z.object({
  lineId: z.string(),
  bookedOn: z.nullable(z.string()),
  /** Why, as the bank wrote it: mostly a code of ISO 20022 such as AC04. Null where it gave none. */
  reason: z.nullable(z.string()),
})
export type TransferReturn = z.infer<typeof TransferReturn>

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
