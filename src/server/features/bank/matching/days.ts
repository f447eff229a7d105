import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { isOpen } from './sums.ts'
import type { MatchOrder } from './lookup.ts'

const dayLength = 86_400_000

/** The calendar day of an instant, in UTC. */
export const toDay = (instant: string): string => instant.slice(0, 10)

/** The day that is `count` days after `day`. Both are YYYY-MM-DD. */
export const addDays = (day: string, count: number): string =>
  toDay(new Date(Date.parse(day) + count * dayLength).toISOString())

/** How many days lie between two days, both YYYY-MM-DD. */
export const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayLength

/** The day that counts for a line. */
export const getLineDay = ({ bookedOn, valueOn }: Pick<StatementLine, 'bookedOn' | 'valueOn'>): string | null =>
  bookedOn ?? valueOn

/**
 * For how many days after its end a payment is taken to be for an order that it does not name. A reminder, a transfer that
 * came back and the next monthly statement bring money within two months; what comes later is meant for something else.
 */
export const mostLateDays = 60

/** Whether money of this day is looked for under this order. One that ended long before has to be named by its number. */
export const isAwaited = (order: MatchOrder, day: string | null): boolean =>
  isOpen(order) && (day === null || day <= addDays(toDay(order.expiresAt), mostLateDays))
