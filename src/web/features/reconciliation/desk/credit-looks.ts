import type { BankAccount } from '#contract/schemas/bank.ts'

/** What may become of money that came in, in the order of the bar. */
export const creditPurposes = [
  'applied',
  'refund',
  'paidBack',
  'reversal',
  'returned',
  'ignored',
  'open',
] as const satisfies readonly (keyof BankAccount['credits'])[]

/** `words`: in a sentence of its own, when all is done. */
export const creditLooks: Record<(typeof creditPurposes)[number], { label: string; words: string; colour: string }> = {
  applied: { label: 'Applied', words: 'Applied to orders', colour: 'bg-success-solid' },
  refund: { label: 'To refund', words: 'To be paid back', colour: 'bg-warning-solid' },
  paidBack: { label: 'Paid back', words: 'Paid back', colour: 'bg-info-solid' },
  reversal: { label: 'Taken back', words: 'Taken back by the bank', colour: 'bg-danger-solid' },
  returned: { label: 'Returned', words: 'Transfers that came back', colour: 'bg-info-ink' },
  ignored: { label: 'Aside', words: 'Put aside', colour: 'bg-neutral-solid' },
  open: { label: 'Open', words: 'Still open', colour: 'bg-accent' },
}
