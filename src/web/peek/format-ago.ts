const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago an instant was, in one unit, rounded down: `8 min` and `ago`. */
export function formatAgo(instant: string, now: number): { amount: string; rest: string } {
  const past = now - Date.parse(instant)
  if (past < minute) return { amount: 'Just now', rest: '' }
  if (past < hour) return { amount: `${Math.floor(past / minute)} min`, rest: 'ago' }
  if (past < day) return { amount: `${Math.floor(past / hour)} h`, rest: 'ago' }
  return { amount: `${Math.floor(past / day)} d`, rest: 'ago' }
}
