import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/db/parameters.ts'

/**
 * Updates symbol, project and decimals of transfers from the chain, after a token of these contracts was corrected, or
 * registered under another kind that takes precedence.
 */
export async function relabelTransfers(tx: Tx, contracts: readonly string[]): Promise<void> {
  if (contracts.length === 0) return
  // The platform's own token may have millions of transfers.
  await tx.execute(sql`SET LOCAL statement_timeout = 0`)
  await tx.execute(sql`
    UPDATE chain_transactions c
    SET amount = trim_scale(c.amount_raw * k.unit), token_symbol = k.token_symbol, project_name = k.project_name
    FROM (
      SELECT DISTINCT ON (contract_address) contract_address, token_symbol, project_name,
        ('1e-' || decimals)::numeric AS unit
      FROM tokens WHERE contract_address = ANY(${textArray(contracts)}) ORDER BY contract_address, kind
    ) k
    WHERE c.token_address = k.contract_address AND c.amount_raw IS NOT NULL
      AND (c.amount, c.token_symbol, c.project_name)
        IS DISTINCT FROM (c.amount_raw * k.unit, k.token_symbol, k.project_name)`)
}
