import type { BankPolicy, PolicyChange } from '#contract/schemas/bank-policy.ts'

type AmountField = 'feeTolerance' | 'overpaidUpTo' | 'maxAutoAmount'

/** The policy as its form holds it: amounts and days as they are typed. */
export type PolicyDraft = Omit<PolicyChange, AmountField | 'graceDays'> & Record<AmountField | 'graceDays', string>
export type PolicyProblems = Partial<Record<AmountField | 'graceDays', string>>

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

const amountForm = /^\d{1,13}(\.\d{1,2})?$/
const isAmount = (typed: string) => amountForm.test(typed.trim())
const amountHint = 'Must be an amount such as 35.00'

export function findPolicyProblems(draft: PolicyDraft): PolicyProblems {
  return {
    ...(!isAmount(draft.feeTolerance) && { feeTolerance: amountHint }),
    ...(!isAmount(draft.overpaidUpTo) && { overpaidUpTo: amountHint }),
    ...(draft.maxAutoAmount.trim() !== '' && !isAmount(draft.maxAutoAmount) && { maxAutoAmount: amountHint }),
    ...(!/^[0-7]$/.test(draft.graceDays.trim()) && { graceDays: 'Must be 0 to 7' }),
  }
}

/** The policy to be saved, from a draft without problems. */
export const readPolicy = (draft: PolicyDraft): PolicyChange => ({
  ...draft,
  feeTolerance: draft.feeTolerance.trim(),
  overpaidUpTo: draft.overpaidUpTo.trim(),
  maxAutoAmount: draft.maxAutoAmount.trim() || null,
  graceDays: Number(draft.graceDays.trim()),
})
