import type { BankDirection } from '#contract/bank.ts'
import { ignoreCodeLabels, ignoreCodes, partPurposes, type PartPurpose } from '#contract/reconciliation.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import type { PurposeSum } from '#contract/schemas/bank-figures.ts'
import { addAmounts } from '#web/bank/amounts.ts'
import { creditLooks } from './credit-looks.ts'

type Purpose = Pick<PurposeSum, 'direction' | 'purpose' | 'code'>

const words: Record<BankDirection, Record<PartPurpose, string>> = {
  credit: {
    order: creditLooks.applied.words,
    refund: 'Refunds',
    reversal: creditLooks.reversal.words,
    return: creditLooks.returned.words,
    ignored: creditLooks.ignored.words,
  },
  debit: {
    order: creditLooks.applied.words,
    refund: 'Refunds paid back',
    reversal: creditLooks.reversal.words,
    return: creditLooks.returned.words,
    ignored: creditLooks.ignored.words,
  },
}

/** "Applied to orders", "Bank fee" */
export const describePurpose = ({ direction, purpose, code }: Purpose): string =>
  code ? ignoreCodeLabels[code] : words[direction][purpose]

const colours: Record<PartPurpose, string> = {
  order: creditLooks.applied.colour,
  refund: creditLooks.refund.colour,
  reversal: creditLooks.reversal.colour,
  return: creditLooks.returned.colour,
  ignored: creditLooks.ignored.colour,
}
export const purposeColour = ({ purpose }: Purpose): string => colours[purpose]

const rank = ({ purpose, code }: Purpose) =>
  partPurposes.indexOf(purpose) * ignoreCodes.length + (code ? ignoreCodes.indexOf(code) : 0)

/** The rows of one direction in their order: orders first, then refunds, and what was put aside by its reason. */
export const listPurposes = (purposes: readonly PurposeSum[], direction: BankDirection): PurposeSum[] =>
  purposes.filter((each) => each.direction === direction).toSorted((one, other) => rank(one) - rank(other))

/** What became of the money of several accounts of one currency. */
export function addPurposes(accounts: readonly BankAccount[]): PurposeSum[] {
  const sums = new Map<string, PurposeSum>()
  for (const each of accounts.flatMap(({ purposes }) => purposes)) {
    const key = `${each.direction} ${each.purpose} ${each.code ?? ''}`
    const { count, amount, due } = sums.get(key) ?? { count: 0, amount: '0.00', due: null }
    sums.set(key, {
      ...each,
      count: count + each.count,
      amount: addAmounts(amount, each.amount),
      due: each.due === null ? null : addAmounts(due ?? '0.00', each.due),
    })
  }
  return [...sums.values()]
}
