import { bankReferenceLabels } from '#contract/bank.ts'
import type { EvidenceKind } from '#contract/bank-allocations.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { FoundReference } from '#contract/schemas/bank-candidates.ts'

export interface TextPiece {
  text: string
  isFound: boolean
}

/** Where a text stands in another, whatever the case of its letters; -1 where it does not. */
const findText = (within: string, text: string) => within.toLowerCase().indexOf(text.toLowerCase())

/** Cuts a text so that what was found in it stands alone. */
export function splitFound(text: string, found: readonly string[]): TextPiece[] {
  const places = found
    .filter((each) => each !== '')
    .map((each) => ({ at: findText(text, each), length: each.length }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at || b.length - a.length)
  const pieces: TextPiece[] = []
  let end = 0
  for (const { at, length } of places) {
    if (at < end) continue
    if (at > end) pieces.push({ text: text.slice(end, at), isFound: false })
    pieces.push({ text: text.slice(at, at + length), isFound: true })
    end = at + length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isFound: false })
  return pieces
}

const kindWords: Record<EvidenceKind, string> = {
  rf: 'as payment reference',
  number: 'as it is written',
  lookAlike: 'read with a look-alike such as O for 0',
  typo: 'with one character different',
  digits: 'by its digits alone',
}

/** "in the text", "in the bank's text", "in the payer's reference"; null where the text is cut into pieces. */
function describePlace({ remittance, info, references }: BankLine, text: string): string | null {
  const isIn = (texts: readonly string[]) => texts.some((each) => findText(each, text) >= 0)
  if (isIn(remittance)) return 'in the text'
  const reference = references.find((each) => isIn([each.reference]))
  if (reference) return `in ${describeKind(reference.kind)}`
  return isIn(info) ? "in the bank's text" : null
}

const describeKind = (kind: BankLine['references'][number]['kind']) => {
  const label = bankReferenceLabels[kind]
  return `the ${label.startsWith('UETR') ? label : label.charAt(0).toLowerCase() + label.slice(1)}`
}

/** "ORD-010240 found in the text, read with a look-alike such as O for 0" */
export const describeFound = (line: BankLine, { text, kind, orderNumber }: FoundReference): string =>
  [[orderNumber, 'found', describePlace(line, text)].filter(Boolean).join(' '), kindWords[kind]].join(', ')
