import * as z from 'zod/mini'
import { bankDirections } from '#contract/bank.ts'
import { NullableDay } from './bank-figures.ts'

/** A line of a CSV file that equals one of another file, and so counts as known. */
export const KnownLine = z.object({
  /** From 1. */
  row: z.int(),
  bookedOn: NullableDay,
  direction: z.enum(bankDirections),
  amount: z.string(),
  payer: z.nullable(z.string()),
  text: z.string(),
})
export type KnownLine = z.infer<typeof KnownLine>
