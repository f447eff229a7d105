import * as z from 'zod/mini'
import { bankDirections, lineAges, statementKinds } from '#contract/bank.ts'
import { writeOffCodes, allocationPurposes } from '#contract/bank-allocations.ts'
import { Timestamp } from './common.ts'

/** An amount with its sign, `-12.50`: 2 to 5 places. */
export const SignedAmount = z.string()
export const NullableDay = z.nullable(z.string())

export const LineSums = z.object({ count: z.int(), credits: z.string(), debits: z.string() })

/** How many statements of an account do not add up, how many before them are missing, and the oldest of both. */
const StatementProblem = z.object({
  count: z.int(),
  /** Null where there is none. */
  oldest: z.nullable(
    z.object({
      number: z.nullable(z.string()),
      day: z.string(),
      /** Of a gap, by how much the balances before and after it differ. Null where that is not known. */
      amount: z.nullable(SignedAmount),
    }),
  ),
})
export const StatementProblems = z.object({ differences: StatementProblem, gaps: StatementProblem })

/** The next statement, which begins with another balance. */
export const StatementContradiction = z.object({
  number: z.nullable(z.string()),
  day: z.string(),
  opening: SignedAmount,
  /** The closing balance of the one before less that opening balance. */
  difference: SignedAmount,
})

/**
 * The account's own sum, from the opening balance of its first statement to the closing balance of its last one, over
 * all lines between them. Only statements of whole days count.
 */
export const AccountProof = z.object({
  opening: SignedAmount,
  openingOn: z.string(),
  credits: z.string(),
  debits: z.string(),
  /** By how much balances differ where a missing statement was accepted. */
  accepted: SignedAmount,
  closing: SignedAmount,
  closingOn: z.string(),
  /** Opening + credits - debits + accepted - closing. */
  difference: SignedAmount,
})

/** Of an account's imports: how many rows or entries could not be read, in how many files, and the first of these. */
export const UnreadableParts = z.object({ count: z.int(), files: z.int(), fileName: z.string() })

export const LatestStatement = z.object({
  number: z.nullable(z.string()),
  kind: z.enum(statementKinds),
  opening: z.nullable(SignedAmount),
  /** The sums of its booked lines, both 0 or more. */
  credits: z.string(),
  debits: z.string(),
  closing: z.nullable(SignedAmount),
  closingOn: NullableDay,
  difference: z.nullable(SignedAmount),
  importedBy: z.string(),
  importedAt: Timestamp,
})

/** The lines of an account that are work and were booked so many days ago. Their sums are what has no purpose yet. */
export const AgeGroup = z.object({ age: z.enum(lineAges), count: z.int(), credits: z.string(), debits: z.string() })
export type AgeGroup = z.infer<typeof AgeGroup>

/**
 * The outcome of the money that came in on an account. The seven add up to its booked credits. `refund` is to be paid
 * back and has not gone out; `paidBack` has. `returned`: transfers of ours that came back.
 */
export const CreditSums = z.object({
  applied: z.string(),
  refund: z.string(),
  paidBack: z.string(),
  reversal: z.string(),
  returned: z.string(),
  ignored: z.string(),
  open: z.string(),
})

/** The outcome of an account's money: its active allocations of one purpose, and of `ignored` with one code. */
export const PurposeSum = z.object({
  direction: z.enum(bankDirections),
  purpose: z.enum(allocationPurposes),
  code: z.nullable(z.enum(writeOffCodes)),
  /** How many allocations. */
  count: z.int(),
  amount: z.string(),
  /** Of refunds of money that came in: what of the amount has not gone out. Null of others. */
  due: z.nullable(z.string()),
})
export type PurposeSum = z.infer<typeof PurposeSum>
