/** The letters and digits of a text in capitals. A letter of another script is `~`. */
export interface TextStream {
  chars: string
  /** Whether a blank or a sign is before the character. The last one is for the end of the text. */
  gaps: boolean[]
  /** Where each character stands in the text. */
  places: number[]
}

export function readStream(text: string): TextStream {
  let chars = ''
  let next = 0
  const gaps = [true]
  const places: number[] = []
  for (const char of text) {
    const place = next
    next += char.length
    if (/[A-Za-z0-9]/.test(char)) chars += char.toUpperCase()
    else if (/[\p{L}\p{N}]/u.test(char)) chars += '~'
    else {
      // An accent that stands by itself belongs to the letter before it.
      if (!/\p{M}/u.test(char)) gaps[gaps.length - 1] = true
      continue
    }
    gaps.push(false)
    places.push(place)
  }
  gaps[gaps.length - 1] = true
  return { chars, gaps, places }
}

/** What stands between two characters of the stream, as it is written. */
export const sliceText = (text: string, { places }: TextStream, start: number, end: number): string =>
  text.slice(places[start], places[end - 1]! + 1)

const isDigit = (char: string | undefined) => char !== undefined && char >= '0' && char <= '9'

/** Whether something can begin or end here: at a blank or sign, and between letters and digits (“EUR100ORD-7”). */
export const isEdge = ({ chars, gaps }: TextStream, at: number): boolean =>
  gaps[at]! || isDigit(chars[at - 1]) !== isDigit(chars[at])

/** Whether blanks or signs are on both sides. */
export const isApart = ({ gaps }: TextStream, start: number, end: number): boolean => gaps[start]! && gaps[end]!

/** The places of numbers. Digits with a gap between them are two numbers. */
export function listDigitRuns({ chars, gaps }: TextStream): [start: number, end: number][] {
  return [...chars.matchAll(/\d+/g)].flatMap((run) => {
    const end = run.index + run[0].length
    const starts = Array.from(run[0], (_, offset) => run.index + offset).filter((at) => at === run.index || gaps[at])
    return starts.map((start, n): [number, number] => [start, starts[n + 1] ?? end])
  })
}
