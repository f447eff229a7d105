/**
 * Whether an input method takes the key, to compose or confirm characters. Safari ends the composition before that key
 * comes, and marks it by its key code alone.
 */
export const isComposingKey = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === 229

/** The key, a letter in lower case. On a layout without Latin letters it is the Latin letter, or the digit, of the physical key. */
export function readKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  if (key.length !== 1) return key
  const isForeign = /[^\p{ASCII}\p{Script=Latin}]/u.test(key)
  const letter = isForeign ? /^(?:Key|Digit)(.)$/.exec(code)?.[1] : undefined
  return (letter ?? key).toLowerCase()
}
