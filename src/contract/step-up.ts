/** Kinds of calls that a super admin may put behind a recent sign-in. A route names its kind (product 2.9). */
export const stepUpKinds = ['money', 'kyc', 'bank_accounts'] as const
export type StepUpKind = (typeof stepUpKinds)[number]

export const stepUpKindLabels: Record<StepUpKind, string> = {
  money: 'Mark an order paid or cancel it; apply bank money, put it aside, or undo a payment',
  kyc: 'Approve, reject or reset KYC',
  bank_accounts: 'Add or change an account of the bank',
}
