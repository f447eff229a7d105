import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/** `MB-`, the digits of `number`, seven at least, and their Luhn digit (product 7.1). */
export function formatMembershipId(number: number): string {
  const digits = String(number).padStart(7, '0')
  let sum = 0
  for (const [at, digit] of digits.split('').toReversed().entries()) {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return `MB-${digits}${(10 - (sum % 10)) % 10}`
}

/** The next membership ids, in the order of approval. An id is never used twice. */
export async function nextMembershipIds(tx: Tx, count: number): Promise<string[]> {
  const taken = await tx.execute<{ number: string }>(
    sql`SELECT nextval('membership_numbers') AS number FROM generate_series(1, ${count}::int)`,
  )
  return taken.rows.map(({ number }) => formatMembershipId(Number(number)))
}
