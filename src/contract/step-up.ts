import { listKeys } from './states.ts'

/** Kinds of calls that a super admin may put behind a recent sign-in. A route names its kind (product 2.9). */
export const stepUpKindLabels = {
  money: 'Mark an order paid or cancel it; apply bank money, put it aside, or undo a payment',
  kyc: 'Approve, reject or reset KYC',
  bank_accounts: 'Add or change an account of the bank',
}
export const stepUpKinds = listKeys(stepUpKindLabels)
export type StepUpKind = (typeof stepUpKinds)[number]
