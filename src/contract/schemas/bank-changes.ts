import * as z from 'zod/mini'
import { maxBankReason } from '#contract/bank.ts'
import { findIbanProblem } from '#contract/iban.ts'
import { filled } from './common.ts'
import { csvProfileSchema } from './csv-profile.ts'

const AccountName = filled(100)
/** As it is typed, with or without blanks. What looks like an IBAN has to be one. */
const AccountNumber = filled(42).check(
  z.refine((text) => findIbanProblem(text) === null, { error: ({ input }) => findIbanProblem(String(input)) ?? '' }),
)
export const Currency = z.string().check(z.regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217 such as EUR'))

export const NewBankAccount = z.strictObject({
  name: AccountName,
  /** An IBAN with or without blanks, or the number as the bank's files have it. */
  account: AccountNumber,
  currency: Currency,
  csvProfile: z._default(z.nullable(csvProfileSchema), null),
})
export type NewBankAccount = z.infer<typeof NewBankAccount>

/** What is absent stays as it is. Number and currency of an account with statements stay for ever. */
export const BankAccountChange = z.strictObject({
  name: z.optional(AccountName),
  account: z.optional(AccountNumber),
  currency: z.optional(Currency),
  /** Null forgets the confirmed columns. */
  csvProfile: z.optional(z.nullable(csvProfileSchema)),
  isActive: z.optional(z.boolean()),
})
export type BankAccountChange = z.infer<typeof BankAccountChange>

const Reason = filled(maxBankReason)
export const UndoImport = z.strictObject({ reason: Reason })
export type UndoImport = z.infer<typeof UndoImport>
export const AcceptProblem = z.strictObject({ reason: Reason })
export type AcceptProblem = z.infer<typeof AcceptProblem>
