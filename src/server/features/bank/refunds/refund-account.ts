import { type Holder, isOtherAccount, isOtherHolder } from '#server/features/bank/matching/line-facts.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { isSameText } from '#server/features/bank/statements/readers/text.ts'
import { AppError } from '#server/lib/errors.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'

export const getHolder = ({ line: { counterparty } }: StoredLine): Holder => ({
  account: counterparty.iban ?? counterparty.account,
  name: counterparty.name,
})

const nameHolder = ({ name, account }: Holder) =>
  name !== null && account !== null ? `${name} (${account})` : (name ?? account)

/**
 * The refusal of a refund that goes to another account than the payment came from, without a reason. Null where it goes back, and
 * where one of the accounts is not known.
 */
export function buildAccountError(payee: Holder, payer: Holder): AppError | null {
  if (!isOtherAccount(payee, payer)) return null
  const words = `This pays money of ${nameHolder(payer)} to the account of ${nameHolder(payee)}`
  return new AppError('payer_differs', `${words}: give a reason to pay it back to another account`)
}

/**
 * The refusal of money that goes to another than the payer of what it takes back, without a reason. Null where it goes to the payer,
 * where nothing tells, and where the bank names us.
 */
export function buildPayeeError(debit: StoredLine, payer: Holder): AppError | null {
  const payee = getHolder(debit)
  if (!isOtherAccount(payee, { account: debit.account, name: null }) && payee.account !== null) return null
  if (!isOtherHolder(payee, payer)) return null
  const words = `This takes back a payment of ${nameHolder(payer)}, and the money went to ${nameHolder(payee)}`
  return new AppError('payer_differs', `${words}: give a reason to take it back`)
}

interface TransferIds {
  endToEndId: string | null
  uetr: string | null
}

/**
 * The refusal of money that comes from another than the payee of the transfer that it is to return, without a reason. Null where it
 * repeats an id of the transfer, where it comes from the payee, where nothing tells, and where the bank names us.
 */
export function buildReturnerError(credit: StoredLine, sent: TransferIds, payee: Holder): AppError | null {
  const { line, account } = credit
  if (isSameText(line.endToEndId, sent.endToEndId) || isSameText(line.uetr, sent.uetr)) return null
  const payer = getHolder(credit)
  if (!isOtherAccount(payer, { account, name: null }) && payer.account !== null) return null
  if (!isOtherHolder(payer, payee)) return null
  const words = `This returns a transfer to ${nameHolder(payee)}, and the money came from ${nameHolder(payer)}`
  return new AppError('payer_differs', `${words}: give a reason to take it as returned`)
}

/** The refusal of a return, without a reason, of which banks would have kept more than they are taken to keep. */
export function buildKeptError({ line }: StoredLine, kept: bigint, feeTolerance: string): AppError | null {
  if (kept <= toUnits(feeTolerance)) return null
  const words = `${fromUnits(kept)} ${line.currency} less than was sent came back`
  return new AppError('invalid', `${words}: give a reason to put that aside as a fee`)
}
