import type { SplitAllocation } from '#web/features/bank/desk/split/split-state.ts'

/** What a reason explains, by what the money is for: who pays an order, to whom it goes back, who sent it back. */
export type ReasonSubject = Exclude<SplitAllocation['purpose'], 'ignored'>

/** The keys of the quick reasons, beside those of the candidates. */
export const reasonKeys = ['6', '7', '8', '9', '0']

/** A longer text is about one payment, and may name somebody. */
export const mostReasonLength = 40

/** Until the operator keeps or forgets one. */
const firstReasons: Record<ReasonSubject, string[]> = {
  order: ['Family member', 'Employer', 'Payment service', 'Same person'],
  payBack: ['Other account of the payer', 'Payer asked for it', 'Old account is closed'],
  takeBack: ['Account of the bank', 'Other account of the payer'],
  return: ["Sent by the payee's bank", 'Banks kept more'],
  refund: ['Payer unknown', 'Payer asked for it', 'Member asked for it'],
}

const buildStorageKey = (adminId: string, subject: ReasonSubject) => `quick-reasons:${adminId}:${subject}`

/** An operator's own quick reasons in this browser. Ignores foreign data and missing storage. */
export function readQuickReasons(adminId: string, subject: ReasonSubject): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(buildStorageKey(adminId, subject)) ?? 'null')
    if (!Array.isArray(stored)) return firstReasons[subject]
    return stored.filter((reason) => typeof reason === 'string').slice(0, reasonKeys.length)
  } catch {
    return firstReasons[subject]
  }
}

export function storeQuickReasons(adminId: string, subject: ReasonSubject, reasons: readonly string[]): void {
  try {
    localStorage.setItem(buildStorageKey(adminId, subject), JSON.stringify(reasons))
  } catch {
    // Without storage they are kept as long as the line is open.
  }
}
