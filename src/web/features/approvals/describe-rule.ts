import { roleLabels } from '#contract/permissions.ts'
import type { RuleChange } from '#contract/schemas/approvals.ts'
import { formatAmount } from '#web/bank/amounts.ts'

const listFormat = new Intl.ListFormat('en-US')

/** A rule in a few words: “From 5,000.00 EUR, if requested by Finance”. */
export function describeRule({ isOn, fromAmount, currency, roles }: RuleChange): string {
  if (!isOn) return 'No approval needed'
  const amount = fromAmount === null ? 'Always' : `From ${formatAmount(fromAmount)} ${currency ?? ''}`
  return roles === null
    ? amount
    : `${amount}, if requested by ${listFormat.format(roles.map((role) => roleLabels[role]))}`
}
