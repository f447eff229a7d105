import type { BankAccount } from '#contract/schemas/bank.ts'

/** In place of an account's id. */
export const allAccounts = 'all'

type NamedAccount = Pick<BankAccount, 'id' | 'name' | 'account' | 'currency'>

const shownDigits = 4

const end = ({ account }: NamedAccount) => account.slice(-shownDigits)

/** The name of each account by its id. Those of one name have the end of their number and, where that is one too, their currency. */
export function nameAccounts(accounts: readonly NamedAccount[]): Map<string, string> {
  const sameName = Map.groupBy(accounts, ({ name }) => name.trim().toLowerCase())
  return new Map(
    [...sameName.values()].flatMap((same) =>
      same.map((one): [string, string] => {
        if (same.length === 1) return [one.id, one.name]
        const isSameEnd = same.filter((other) => end(other) === end(one)).length > 1
        return [one.id, `${one.name} · ${end(one)}${isSameEnd ? ` ${one.currency}` : ''}`]
      }),
    ),
  )
}
