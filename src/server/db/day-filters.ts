import { dayIn } from '#server/lib/calendar.ts'
import type { ListFilter } from './list.ts'

interface DayQuery {
  /** Days, both included. */
  from?: string | undefined
  to?: string | undefined
  /** The zone whose days they are. */
  timeZone?: string | undefined
}

/**
 * Rows whose instant is in these days. Their total is counted row by row, in the index of the list's order: days are those of the
 * operator's zone, of which nothing is counted beforehand.
 */
export function filterDays(instant: string, { from, to, timeZone = 'UTC' }: DayQuery): ListFilter[] {
  return [
    ...(from ? [{ rows: `${instant} >= $value`, leaves: null, value: dayIn(timeZone, from).start }] : []),
    ...(to ? [{ rows: `${instant} < $value`, leaves: null, value: dayIn(timeZone, to).end }] : []),
  ]
}
