import { formatCount } from '#web/lib/money.ts'

/** How close a text is to its limit, from nine tenths on, or how far beyond, as its field says it. */
export function checkLength(text: string, most: number): { error: string | null; hint: string | null } {
  const { length } = text.trim()
  const count = `${formatCount(length)} of at most ${formatCount(most)} characters`
  if (length > most) return { error: `${count}: shorten it by ${formatCount(length - most)}`, hint: null }
  return { error: null, hint: length >= most * 0.9 ? count : null }
}
