import type { Random } from '#demo/platform/random.ts'

/** Draws one of the names, each as often as its weight says. */
export function pickWeighted<Name extends string>(
  random: Random,
  weights: Readonly<Partial<Record<Name, number>>>,
): Name {
  const entries = Object.entries(weights) as [Name, number][]
  let left = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  return (entries.find(([, weight]) => (left -= weight) < 0) ?? entries[0]!)[0]
}

export const makeDigits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.whole(0, 9)).join('')

export const makeLetters = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.pick([...'ABCDEFGHJKLMNPQRSTUVWXYZ'])).join('')

/** The day of the measurement. */
export const today = '2026-11-20'

const dayLength = 86_400_000

/** The day that is `offset` days after today. */
export const dayAt = (offset: number): string =>
  new Date(Date.parse(today) + offset * dayLength).toISOString().slice(0, 10)

/** How many days after today an instant is. */
export const countDays = (instant: string): number => Math.round((Date.parse(instant) - Date.parse(today)) / dayLength)
