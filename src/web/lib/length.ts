import { formatCount } from '#web/lib/money.ts'

/** Describes how close a text is to its limit, from nine tenths on, or how far beyond. */
export function checkLength(text: string, most: number): { isTooLong: boolean; words: string | null } {
  const { length } = text.trim()
  const isTooLong = length > most
  const count = `${formatCount(length)} of at most ${formatCount(most)} characters`
  if (isTooLong) return { isTooLong, words: `${count}: shorten it by ${formatCount(length - most)}` }
  return { isTooLong, words: length >= most * 0.9 ? count : null }
}
