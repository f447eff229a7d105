import { sql } from 'drizzle-orm'
import type { Suggestion } from '#contract/reconciliation.ts'
import { announce } from '#server/core/audit.ts'
import { textArray } from '#server/core/upsert.ts'
import type { Database } from '#server/db/client.ts'
import type { LineProposal } from '#server/features/bank/scoring/build-proposal.ts'

/** What is proposed in a word (product 7.12). */
export function toSuggestion({ candidates, obstacle }: LineProposal): Suggestion {
  if (candidates.length === 0) return 'unmatched'
  return obstacle === null ? 'exact' : 'check'
}

/** Of candidates that fit equally none is the first. */
function toRow(proposal: LineProposal) {
  const { stored, outcome, candidates, equallyGood } = proposal
  const first = equallyGood > 1 ? undefined : candidates[0]
  return {
    id: stored.id,
    version: stored.version,
    suggestion: toSuggestion(proposal),
    outcome,
    flags: candidates[0]?.flags ?? [],
    orders: first?.orders.map(({ orderNumber }) => orderNumber) ?? [],
  }
}

const toArray = (column: string) => sql.raw(`ARRAY(SELECT jsonb_array_elements_text(r.${column}))`)

/**
 * Stores proposals with the lines that are as they were read. A proposal is no change of a line, so its version stays.
 * Announces the lines if one of them shows something else now.
 */
export async function saveProposals(
  writer: Pick<Database, 'transaction'>,
  proposals: readonly LineProposal[],
): Promise<void> {
  const rows = proposals.map(toRow)
  await writer.transaction(async (tx) => {
    // In the order in which operators lock lines.
    await tx.execute(sql`SELECT id FROM bank_lines
      WHERE id = ANY(${textArray(rows.map(({ id }) => id))}::bigint[]) ORDER BY id FOR NO KEY UPDATE`)
    const { rows: changed } = await tx.execute<{ id: string }>(sql`
      UPDATE bank_lines l SET suggestion = r.suggestion, outcome = r.outcome, flags = ${toArray('flags')},
        proposed_orders = ${toArray('orders')}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(id bigint, version int, suggestion text, outcome text, flags jsonb, orders jsonb)
      WHERE l.id = r.id AND l.version = r.version AND l.state IN ('open', 'part')
        AND (l.suggestion, l.outcome, l.flags, l.proposed_orders)
          IS DISTINCT FROM (r.suggestion, r.outcome, ${toArray('flags')}, ${toArray('orders')})
      RETURNING l.id::text`)
    if (changed.length > 0) await announce(tx, 'bank')
  })
}
