/**
 * A small stroke font, so that pictures with text need no font on the machine: each letter is a path in a box 14 high,
 * and its width.
 */
const glyphs: Record<string, [path: string, width: number]> = {
  A: ['M0 14L5 0L10 14M1.8 9H8.2', 10],
  B: ['M0 0V14H5.5Q9.5 14 9.5 10.3T5.5 6.8H0M0 0H5Q8.7 0 8.7 3.4T5 6.8', 9.5],
  C: ['M9.6 2.6Q8 0 5 0Q0 0 0 7T5 14Q8 14 9.6 11.4', 9.6],
  D: ['M0 0V14H4Q9.5 14 9.5 7T4 0Z', 9.5],
  E: ['M8.5 0H0V14H8.5M0 6.8H7', 8.5],
  F: ['M8.5 0H0V14M0 6.8H7', 8.5],
  G: ['M9.6 2.6Q8 0 5 0Q0 0 0 7T5 14Q9.6 14 9.6 8H5.5', 9.6],
  H: ['M0 0V14M9.5 0V14M0 6.8H9.5', 9.5],
  I: ['M1 0V14', 2],
  J: ['M7 0V10Q7 14 3.5 14T0 10.5', 7],
  K: ['M0 0V14M9 0L0 8.5M3.3 5.6L9.5 14', 9.5],
  L: ['M0 0V14H8', 8],
  M: ['M0 14V0L5.5 9L11 0V14', 11],
  N: ['M0 14V0L9.5 14V0', 9.5],
  O: ['M5 0Q10 0 10 7T5 14T0 7T5 0Z', 10],
  P: ['M0 14V0H5.3Q9.3 0 9.3 3.8T5.3 7.6H0', 9.3],
  Q: ['M5 0Q10 0 10 7T5 14T0 7T5 0ZM6 10.5L10 15', 10],
  R: ['M0 14V0H5.3Q9.3 0 9.3 3.8T5.3 7.6H0M5 7.6L9.5 14', 9.5],
  S: ['M9 2.4Q7.6 0 4.8 0Q.8 0 .8 3.4Q.8 6.2 5 6.9T9.2 10.6Q9.2 14 4.8 14Q1.4 14 0 11.4', 9.2],
  T: ['M0 0H10M5 0V14', 10],
  U: ['M0 0V9.5Q0 14 4.8 14T9.5 9.5V0', 9.5],
  V: ['M0 0L5 14L10 0', 10],
  W: ['M0 0L3.3 14L7 2L10.7 14L14 0', 14],
  X: ['M0 0L9.5 14M9.5 0L0 14', 9.5],
  Y: ['M0 0L5 7V14M10 0L5 7', 10],
  Z: ['M0 0H9.5L0 14H9.5', 9.5],
  '0': ['M4.5 0Q9 0 9 7T4.5 14T0 7T4.5 0Z', 9],
  '1': ['M1.5 3L5.5 0V14', 7],
  '2': ['M.3 3.4Q.8 0 4.6 0Q8.8 0 8.8 3.6Q8.8 6.2 5.2 9L0 14H9', 9],
  '3': ['M.4 2.4Q1.6 0 4.5 0Q8.5 0 8.5 3.4T4 6.7Q9 6.7 9 10.3T4.4 14Q1.2 14 0 11.4', 9],
  '4': ['M7 14V0L0 9.8H9.4', 9.4],
  '5': ['M8.4 0H1.4L.7 6.4Q2.4 5 4.6 5Q9 5 9 9.4T4.4 14Q1.4 14 0 11.8', 9],
  '6': ['M8.2 1.6Q7 0 4.8 0Q0 0 0 8Q0 14 4.6 14T9 9.6T4.6 5.4T0 9.4', 9],
  '7': ['M0 0H9L3.4 14', 9],
  '8': ['M4.5 6.5Q.8 6.5 .8 3.3T4.5 0T8.2 3.3T4.5 6.5Q9 6.5 9 10.2T4.5 14T0 10.2T4.5 6.5', 9],
  '9': ['M.8 12.4Q2 14 4.2 14Q9 14 9 6Q9 0 4.4 0T0 4.4T4.4 8.6T9 4.6', 9],
  '<': ['M9 2L1 7L9 12', 9],
  '/': ['M0 15L6 -1', 6],
  '.': ['M1 13.4V14', 2],
  '-': ['M0 7.5H6', 6],
  '·': ['M1 7.2V7.8', 2],
  "'": ['M1 0V3.5', 2],
  ':': ['M1 4.4V5M1 13.4V14', 2],
  _: ['M0 15H8', 8],
  '@': ['M9 8.5Q9 4 6 4Q3.4 4 3.4 7T6 10T8 7V9.5Q8 11 9.4 11Q11 11 11 7Q11 0 5.6 0T0 7T5.6 14Q8 14 9.6 13', 11],
  '+': ['M0 7.5H8M4 3.5V11.5', 8],
  '?': ['M.4 3Q.8 0 4.4 0Q8.4 0 8.4 3.4Q8.4 6 4.6 7.4V10M4.6 13.4V14', 8.4],
  ' ': ['', 5],
}

const gap = 3.4
const cell = 12.4

interface TextStyle {
  color: string
  /** The height of a capital, in the picture's units. */
  size: number
  weight?: number
  /** Equal width for every letter, as in machine-readable lines. */
  isMono?: boolean
  anchor?: 'start' | 'middle' | 'end'
  opacity?: number
}

const listLetters = (text: string) => Array.from(text.toUpperCase()).filter((letter) => glyphs[letter])
/** The width of the text, in units of its size. */
export const measureText = (text: string): number =>
  listLetters(text).reduce((sum, letter) => sum + letterWidth(letter, false), -gap) / 14

const letterWidth = (letter: string, isMono: boolean) => (isMono ? cell : glyphs[letter]![1] + gap)

/** Text as SVG paths with its baseline at `y`. Leaves out letters that the font lacks. */
export function drawText(text: string, x: number, y: number, style: TextStyle): string {
  const { color, size, weight = 1.5, isMono = false, anchor = 'start', opacity = 1 } = style
  const scale = size / 14
  const letters = listLetters(text)
  const total = letters.reduce((sum, letter) => sum + letterWidth(letter, isMono), -gap)
  const shift = anchor === 'start' ? 0 : anchor === 'middle' ? total / 2 : total
  let at = -shift
  const paths = letters.map((letter) => {
    const [path, width] = glyphs[letter]!
    const inset = isMono ? (cell - gap - width) / 2 : 0
    const drawn = path && `<path transform="translate(${(at + inset).toFixed(1)} 0)" d="${path}"/>`
    at += letterWidth(letter, isMono)
    return drawn
  })
  return `<g transform="translate(${x} ${y - size}) scale(${scale.toFixed(4)})" fill="none" stroke="${color}" stroke-width="${weight}" stroke-linecap="round" stroke-linejoin="round" opacity="${opacity}">${paths.join('')}</g>`
}
