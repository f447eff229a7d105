import type { BankLine } from '#contract/schemas/bank.ts'
import { addAmounts } from '#web/bank/amounts.ts'
import { calculateOpen } from './candidate-parts.ts'

export interface ExactSum {
  key: string
  /** Of the account, or "All in EUR". */
  name: string
  currency: string
  count: number
  amount: string
  isOfCurrency: boolean
}

const addUp = (lines: readonly BankLine[]) => addAmounts('0', ...lines.map(calculateOpen))

/** What lines give in all, by account; by currency too, where several accounts have one. */
export function sumExact(lines: readonly BankLine[]): { accounts: ExactSum[]; currencies: ExactSum[] } {
  const byAccount = Map.groupBy(lines, ({ accountId }) => accountId)
  const accounts = [...byAccount].map(([key, own]): ExactSum => {
    const { accountName: name, currency } = own[0]!
    return { key, name, currency, count: own.length, amount: addUp(own), isOfCurrency: false }
  })
  const currencies = [...Map.groupBy(lines, ({ currency }) => currency)]
    .filter(([currency]) => accounts.filter((each) => each.currency === currency).length > 1)
    .map(([currency, own]): ExactSum => {
      const name = `All in ${currency}`
      return { key: currency, name, currency, count: own.length, amount: addUp(own), isOfCurrency: true }
    })
  return { accounts: accounts.toSorted((one, other) => one.name.localeCompare(other.name)), currencies }
}
