import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'

/** What a clock of an operator shows now, by the database's time. */
interface DigestClock {
  /** Such as `2026-01-05`. */
  today: string
  yesterday: string
  /** Whether the hour of the digest has come today. */
  isPastHour: boolean
}

/** Reads the clock of a zone at an instant. `digestHour` is 0 to 23. */
export function digestClockAt(
  now: string,
  { digestHour, timeZone }: { digestHour: number; timeZone: string },
): DigestClock {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const [today = '', time = ''] = format.format(new Date(now)).split(' ')
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
  return { today, yesterday, isPastHour: Number(time.slice(0, 2)) >= digestHour }
}

export async function readNow(db: Db | Tx): Promise<string> {
  const { rows } = await db.execute<{ now: string }>(sql`SELECT now() AS now`)
  return toInstant(rows[0]!.now)
}

export const readDigestClock = async (
  db: Db | Tx,
  clock: { digestHour: number; timeZone: string },
): Promise<DigestClock> => digestClockAt(await readNow(db), clock)
