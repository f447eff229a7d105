interface KycCounts {
  approved: number
  pending: number
  rejected: number
}

/** Percentages with one decimal that add up to exactly 100.0. Rounding goes to the largest remainders. */
export function kycRates(counts: KycCounts): { approved: string; pending: string; rejected: string } {
  const shares = [counts.approved, counts.pending, counts.rejected]
  const all = shares.reduce((sum, n) => sum + n, 0)
  if (all === 0) return { approved: '0.0', pending: '0.0', rejected: '0.0' }
  const tenths = shares.map((n) => Math.floor((n * 1000) / all))
  const left = 1000 - tenths.reduce((sum, n) => sum + n, 0)
  const byRemainder = [0, 1, 2].toSorted((a, b) => ((shares[b]! * 1000) % all) - ((shares[a]! * 1000) % all))
  for (const index of byRemainder.slice(0, left)) tenths[index]! += 1
  const [approved, pending, rejected] = tenths.map((n) => (n / 10).toFixed(1))
  return { approved: approved!, pending: pending!, rejected: rejected! }
}
