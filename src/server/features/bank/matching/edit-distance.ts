/** The number of letters to change, add, leave out or swap with a neighbour (optimal string alignment). */
export function measureDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1
      let least = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + cost)
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (isSwap) least = Math.min(least, beforeLast[column - 2]! + 1)
      current[column] = least
    }
    beforeLast = last
    last = current
  }
  return last[other.length]!
}

/** From 0 (nothing in common) to 1 (equal). */
export function measureLikeness(one: string, other: string): number {
  if (one === other) return 1
  return 1 - measureDistance(one, other) / Math.max(one.length, other.length)
}
