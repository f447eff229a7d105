import { lineAges, type LineAge } from '#contract/bank.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import type { AgeGroup } from '#contract/schemas/bank-figures.ts'
import { addAmounts } from '#web/bank/amounts.ts'

/** What is open of several accounts of one currency, by age. */
export const addAges = (accounts: readonly BankAccount[]): AgeGroup[] =>
  lineAges.map((age) => {
    const groups = accounts.flatMap(({ ageing }) => ageing.filter((group) => group.age === age))
    return {
      age,
      count: groups.reduce((sum, { count }) => sum + count, 0),
      credits: addAmounts(...groups.map(({ credits }) => credits)),
      debits: addAmounts(...groups.map(({ debits }) => debits)),
    }
  })

/** The currencies of accounts, the one with most lines to do first. */
export function orderCurrencies(accounts: readonly BankAccount[]): string[] {
  const lines = Map.groupBy(accounts, ({ currency }) => currency)
  const countOf = (currency: string) => lines.get(currency)!.reduce((sum, { work }) => sum + work.total, 0)
  return [...lines.keys()].toSorted().toSorted((one, other) => countOf(other) - countOf(one))
}

/** The older, the graver. What has been open for more than two days is noticed, too. */
export const ageColours: Record<LineAge, string> = {
  '0-2': 'bg-accent',
  '3-7': 'bg-info-solid',
  '8-30': 'bg-warning-solid',
  older: 'bg-danger-solid',
}
