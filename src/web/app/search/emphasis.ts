const plain: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ŧ: 't', ı: 'i', ð: 'd', ς: 'σ', ß: 'ss' }

/** Lower case without accents, as the server compares (product 4.4). */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[øłđħŧıðςß]/g, (letter) => plain[letter] ?? letter)

/** The text in three: what stands before the first place that matches what was typed, that place, and the rest. */
export function emphasis(text: string, typed: string): [before: string, match: string, after: string] {
  const wanted = fold(typed.trim())
  let folded = ''
  /** Where in `text` each folded character comes from, and where the text goes on after it. */
  const from: number[] = []
  const until: number[] = []
  let at = 0
  for (const character of text) {
    const end = at + character.length
    const plainly = fold(character)
    for (let n = 0; n < plainly.length; n++) {
      from.push(at)
      until.push(end)
    }
    // An accent that stands apart goes with its letter.
    if (plainly === '' && until.length > 0) until[until.length - 1] = end
    folded += plainly
    at = end
  }
  const found = wanted === '' ? -1 : folded.indexOf(wanted)
  const start = from[found]
  const end = until[found + wanted.length - 1]
  if (start === undefined || end === undefined) return [text, '', '']
  return [text.slice(0, start), text.slice(start, end), text.slice(end)]
}
