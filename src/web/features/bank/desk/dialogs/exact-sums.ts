import type { BankLine } from '#contract/schemas/bank.ts'
import { addAmounts } from '#web/bank/amounts.ts'
import { calculateOpen } from '#web/features/bank/desk/line/candidate-allocations.ts'

export interface ExactSum {
  key: string
  /** Of the account, or "All in EUR". */
  name: string
  currency: string
  count: number
  amount: string
  isOfCurrency: boolean
}

/** Of several lines that pay one order only the first, the oldest, can be applied; the others come again for something else. */
export function divideExact(lines: readonly BankLine[]): { first: BankLine[]; repeated: BankLine[] } {
  const paid = new Set<string>()
  const first: BankLine[] = []
  const repeated: BankLine[] = []
  for (const line of lines) {
    const isRepeated = line.proposedOrders.some((order) => paid.has(order))
    ;(isRepeated ? repeated : first).push(line)
    if (!isRepeated) for (const order of line.proposedOrders) paid.add(order)
  }
  return { first, repeated }
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
