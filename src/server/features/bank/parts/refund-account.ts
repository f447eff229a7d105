import { compactIban } from '#contract/iban.ts'
import type { StoredLine } from '#server/features/bank/stored-line.ts'
import { AppError } from '#server/lib/errors.ts'

/** Who has the account at the other end of a line. */
export interface Holder {
  account: string | null
  name: string | null
}

export const getHolder = ({ line: { counterparty } }: StoredLine): Holder => ({
  account: counterparty.iban ?? counterparty.account,
  name: counterparty.name,
})

/** A bank writes one account as an IBAN and as its own number, which then ends the IBAN. */
function isSameAccount(one: string, other: string): boolean {
  const [short, long] = [compactIban(one), compactIban(other)].toSorted((a, b) => a.length - b.length)
  const number = short!.replace(/^0+/, '')
  return short === long || (/^\d{4,}$/.test(number) && long!.endsWith(number))
}

const nameHolder = ({ name, account }: Holder) => (name === null ? account : `${name} (${account})`)

/**
 * The refusal of a refund that goes to another account than the payment came from, without a reason. Null where it goes back, and
 * where one of the accounts is not known.
 */
export function buildAccountError(payee: Holder, payer: Holder): AppError | null {
  if (!payee.account || !payer.account || isSameAccount(payee.account, payer.account)) return null
  const words = `This pays money of ${nameHolder(payer)} to the account of ${nameHolder(payee)}`
  return new AppError('payer_differs', `${words}: give a reason to pay it back to another account`)
}
