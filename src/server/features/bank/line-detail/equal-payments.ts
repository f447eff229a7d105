import { sql } from 'drizzle-orm'
import type { Candidate } from '#contract/schemas/reconciliation.ts'
import { textArray } from '#server/core/upsert.ts'
import type { Db } from '#server/db/client.ts'
import { formatInstant } from '#server/lib/errors.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'

interface EqualPayment {
  orderNumbers: string[]
  bookedOn: string | null
  payer: string | null
}

/** Other open payments of the same amount that are proposed for one of these orders, the oldest first. */
async function readEqualPayments(db: Db, { id, line }: StoredLine, orderNumbers: string[]): Promise<EqualPayment[]> {
  const { rows } = await db.execute<EqualPayment & Record<string, unknown>>(sql`
    SELECT proposed_orders AS "orderNumbers", booked_on::text AS "bookedOn", coalesce(payer_name, payer_account) AS payer
    FROM bank_lines WHERE amount = ${line.amount}::numeric AND currency = ${line.currency} AND direction = 'credit'
      AND state IN ('open', 'part') AND id <> ${id} AND proposed_orders && ${textArray(orderNumbers)}
    ORDER BY listed_at, id LIMIT 20`)
  return rows
}

const formatDay = (day: string) => formatInstant(`${day}T00:00:00Z`).replace(/ at .*/, '')

const describeOne = ({ bookedOn, payer }: EqualPayment) =>
  `by ${payer ?? 'an unnamed payer'}${bookedOn === null ? '' : ` of ${formatDay(bookedOn)}`}`

function describeEqual([first, ...more]: EqualPayment[]): string | null {
  if (!first) return null
  const others = more.length === 0 ? '' : more.length === 1 ? ', and one more' : `, and ${more.length} more`
  return `Another open payment of this amount is proposed for it too, ${describeOne(first)}${others}`
}

/**
 * Says of each order that can still be paid which other open payment may be for it: of two equal payments an operator sees both before
 * one is applied.
 */
export async function addEqualPayments(db: Db, stored: StoredLine, candidates: Candidate[]): Promise<Candidate[]> {
  if (stored.line.direction !== 'credit') return candidates
  const payable = candidates.filter(({ credit, parts }) => credit === null && parts.length > 0)
  const numbers = payable.flatMap(({ orders }) => orders.map(({ orderNumber }) => orderNumber))
  if (numbers.length === 0) return candidates
  const equal = await readEqualPayments(db, stored, numbers)
  return candidates.map((candidate) => {
    const isFor = ({ orderNumbers }: EqualPayment) =>
      payable.includes(candidate) && candidate.orders.some(({ orderNumber }) => orderNumbers.includes(orderNumber))
    const text = describeEqual(equal.filter(isFor))
    return text === null
      ? candidate
      : { ...candidate, reasons: [...candidate.reasons, { text, speaks: 'against' as const }] }
  })
}
