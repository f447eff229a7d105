import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { textArray } from '#server/upsert.ts'

/**
 * Works out the amounts of transfers anew from what the chain said, after the decimals of these contracts were put right, or
 * another registration of them came, which may count before the one that was there.
 * What would then be more than an amount may be stays as it is.
 */
export async function rescaleTransfers(tx: Tx, contracts: readonly string[]): Promise<void> {
  if (contracts.length === 0) return
  // A platform's own token may have millions of them.
  await tx.execute(sql`SET LOCAL statement_timeout = 0`)
  await tx.execute(sql`
    UPDATE chain_transactions c SET amount = trim_scale(c.amount_raw * k.unit)
    FROM (
      SELECT DISTINCT ON (contract_address) contract_address, ('1e-' || decimals)::numeric AS unit FROM tokens
      WHERE contract_address = ANY(${textArray(contracts)}) ORDER BY contract_address, kind
    ) k
    WHERE c.token_address = k.contract_address AND c.amount_raw IS NOT NULL
      AND c.amount <> c.amount_raw * k.unit AND c.amount_raw * k.unit < 1e60`)
}
