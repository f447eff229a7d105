// What a transfer that came back had been given out for, and is no longer.
import { toUnits } from '#server/lib/decimal.ts'

interface MovablePart {
  purpose: string
  amount: string
}

/** What of a transfer goes with its return, and what banks kept of that, in units. */
export interface ReturnedParts<Part> {
  parts: Part[]
  kept: bigint
}

/**
 * The parts of a transfer that go when `amount` of it has come back: one of just this amount; else, beyond what is open, the smallest
 * refund that is larger, since banks return a transfer as a whole less their charges; else refunds, the newest first, and then what
 * was put aside. `parts` are the newest first. Of equal ones the first that is `meant`.
 */
export function chooseReturnedParts<Part extends MovablePart>(
  parts: readonly Part[],
  { amount, open }: { amount: bigint; open: bigint },
  isMeant: (part: Part) => boolean,
): ReturnedParts<Part> {
  const byMeaning = [...parts.filter(isMeant), ...parts.filter((part) => !isMeant(part))]
  const refunds = byMeaning.filter(({ purpose }) => purpose === 'refund')
  const movable = [...refunds, ...byMeaning.filter(({ purpose }) => purpose === 'ignored')]
  const exact = movable.find((part) => toUnits(part.amount) === amount)
  if (exact) return { parts: [exact], kept: 0n }
  const missing = amount > open ? amount - open : 0n
  if (missing === 0n) return { parts: [], kept: 0n }
  const larger = findSmallest(refunds.filter((part) => toUnits(part.amount) >= missing))
  if (larger) return { parts: [larger], kept: toUnits(larger.amount) - missing }
  let left = missing
  const chosen = movable.filter((part) => {
    const isNeeded = left > 0n
    left -= toUnits(part.amount)
    return isNeeded
  })
  const sum = chosen.reduce((all, part) => all + toUnits(part.amount), 0n)
  return { parts: chosen, kept: sum > missing ? sum - missing : 0n }
}

const findSmallest = <Part extends MovablePart>(parts: readonly Part[]): Part | undefined =>
  parts.toSorted((one, other) => Number(toUnits(one.amount) - toUnits(other.amount)))[0]
