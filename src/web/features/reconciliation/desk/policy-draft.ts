import type { BankPolicy, PolicyChange } from '#contract/schemas/bank-policy.ts'
import { readAmount } from '#web/bank/amounts.ts'

type AmountField = 'feeTolerance' | 'overpaidUpTo' | 'maxAutoAmount'

/** The policy as its form holds it: amounts and days as they are typed. */
export type PolicyDraft = Omit<PolicyChange, AmountField | 'graceDays'> & Record<AmountField | 'graceDays', string>
export type PolicyProblems = Partial<Record<AmountField | 'graceDays', string | undefined>>

export const readDraft = (policy: BankPolicy): PolicyDraft => ({
  autoApply: policy.autoApply,
  autoCombined: policy.autoCombined,
  autoRemainder: policy.autoRemainder,
  payerName: policy.payerName,
  reasonForThirdParty: policy.reasonForThirdParty,
  feeTolerance: policy.feeTolerance,
  overpaidUpTo: policy.overpaidUpTo,
  maxAutoAmount: policy.maxAutoAmount ?? '',
  graceDays: String(policy.graceDays),
})

/** The amount that was typed, without more digits than the server takes. */
const parse = (typed: string) => readAmount(typed).amount?.match(/^\d{1,13}(?:\.\d+)?$/)?.[0]
const describeProblem = (typed: string) =>
  parse(typed) === undefined ? (readAmount(typed).problem ?? 'Must be an amount such as 35.00') : undefined

export function findPolicyProblems(draft: PolicyDraft): PolicyProblems {
  return {
    feeTolerance: describeProblem(draft.feeTolerance),
    overpaidUpTo: describeProblem(draft.overpaidUpTo),
    maxAutoAmount: draft.maxAutoAmount.trim() === '' ? undefined : describeProblem(draft.maxAutoAmount),
    graceDays: /^[0-7]$/.test(draft.graceDays.trim()) ? undefined : 'Must be 0 to 7',
  }
}

/** The policy to be saved, from a draft without problems. */
export const readPolicy = (draft: PolicyDraft): PolicyChange => ({
  ...draft,
  feeTolerance: parse(draft.feeTolerance) ?? '',
  overpaidUpTo: parse(draft.overpaidUpTo) ?? '',
  maxAutoAmount: parse(draft.maxAutoAmount) ?? null,
  graceDays: Number(draft.graceDays.trim()),
})
