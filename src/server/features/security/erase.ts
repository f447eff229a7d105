import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

const erasedText = 'Erased'

/** Replaces texts of security events, and the notes on them, that name one of `values`. Returns the number of events. */
export async function eraseEventTexts(tx: Tx, values: readonly string[]): Promise<number> {
  const names = (text: string) => sql`EXISTS (
    SELECT FROM unnest(${sql.param([...values])}::text[]) AS v WHERE strpos(lower(${sql.raw(text)}), lower(v)) > 0)`
  const [inNote, inText, inDetails] = [names('e.resolution_note'), names('e.description'), names('e.details::text')]
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE security_events AS e SET version = e.version + 1,
      resolution_note = CASE WHEN ${inNote} THEN ${erasedText} ELSE e.resolution_note END,
      description = CASE WHEN ${inText} THEN ${erasedText} ELSE e.description END,
      details = CASE WHEN ${inDetails} THEN '{}' ELSE e.details END
    WHERE ${inNote} OR ${inText} OR ${inDetails} RETURNING e.id::text`)
  return rows.length
}
