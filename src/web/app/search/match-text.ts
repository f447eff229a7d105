const baseLetters: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ð: 'd',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}

/** Lower case without accents, as the server compares (product 4.4). */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u0655]/g, '')
    .toLowerCase()
    .replace(/[øłđħŧıðςßæœ]/g, (letter) => baseLetters[letter] ?? letter)
    .replace(/[‐‑‒–—―−]/g, '-')

/** Splits the text into the part before the first match, the match, and the rest. */
export function splitAtMatch(text: string, typed: string): [before: string, match: string, after: string] {
  const wanted = foldText(typed.trim())
  let folded = ''
  /** For each folded character its start and end in `text`. */
  const from: number[] = []
  const until: number[] = []
  let at = 0
  for (const character of text) {
    const end = at + character.length
    const foldedCharacter = foldText(character)
    for (let n = 0; n < foldedCharacter.length; n++) {
      from.push(at)
      until.push(end)
    }
    // A combining accent belongs to the letter before it.
    if (foldedCharacter === '' && until.length > 0) until[until.length - 1] = end
    folded += foldedCharacter
    at = end
  }
  const found = wanted === '' ? -1 : folded.indexOf(wanted)
  const start = from[found]
  const end = until[found + wanted.length - 1]
  if (start === undefined || end === undefined) return [text, '', '']
  return [text.slice(0, start), text.slice(start, end), text.slice(end)]
}
