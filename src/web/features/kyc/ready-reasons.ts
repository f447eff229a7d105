import { rejectionReasons } from '#contract/kyc-reviews.ts'

type OneForEach<Sentences extends readonly string[]> = { [Index in keyof Sentences]: string }

/** What stands on the chips, in the order of the sentences; the member reads the whole sentence. */
const names: OneForEach<typeof rejectionReasons> = [
  'Not readable',
  'Expired',
  'Side missing',
  'Name differs',
  'Birth date differs',
  'Face differs',
  'Type not accepted',
]

/** Reasons that an operator can take up with one click. */
export const readyReasons = rejectionReasons.map((sentence, index) => ({ sentence, name: names[index] ?? sentence }))

/** The reason with this sentence added at its end, or taken away where it is in it already; what was typed stays. */
export function toggleReason(reason: string, sentence: string): string {
  if (!reason.includes(sentence)) return [reason.trim(), sentence].filter(Boolean).join(' ')
  return reason.replace(sentence, '').replaceAll(/ {2,}/g, ' ').trim()
}
