import { sql } from 'drizzle-orm'
import type { TokenKind } from '#contract/token-kinds.ts'
import { platformEvent } from '#contract/schemas/platform-events.ts'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import { enqueueEvents } from '#server/core/enqueue.ts'
import { recordset } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { instant } from '#server/db/select.ts'

/** One log of a transaction. */
interface LogKey {
  transactionHash: string
  logIndex: number
}

interface DepositRow extends Record<string, unknown> {
  memberId: string
  walletAddress: string
  fromAddress: string
  kind: TokenKind
  contractAddress: string
  tokenSymbol: string
  decimals: number
  amount: string
  amountRaw: string
  transactionHash: string
  logIndex: number
  blockNumber: number
  blockHash: string
  at: string
  lastType: string | null
  lastSequence: number
}

/**
 * The deposits among these transfers of which the platform was told something else last, or nothing yet. The table of
 * events is the register of what was told. History is left out, and so are transfers of nothing, which anyone can
 * make in any wallet's name (docs/decisions/055).
 */
async function findUntold(
  tx: Tx,
  chainId: number,
  type: 'deposit.confirmed' | 'deposit.dropped',
  keys: readonly LogKey[],
): Promise<DepositRow[]> {
  const status = type === 'deposit.confirmed' ? 'completed' : 'failed'
  const given = keys.map(({ transactionHash, logIndex }) => ({ hash: transactionHash, log: logIndex }))
  const { rows } = await tx.execute<DepositRow>(sql`
    SELECT w.member_id AS "memberId", c.to_address AS "walletAddress", c.from_address AS "fromAddress", k.kind,
      c.token_address AS "contractAddress", k.token_symbol AS "tokenSymbol", k.decimals,
      trim_scale(c.amount_raw * ('1e-' || k.decimals)::numeric)::text AS amount,
      trim_scale(c.amount_raw)::text AS "amountRaw",
      c.transaction_hash AS "transactionHash", c.log_index AS "logIndex", c.block_number::float8 AS "blockNumber",
      c.block_hash AS "blockHash", ${sql.raw(instant('c.created_at'))} AS at, e.type AS "lastType",
      coalesce(e.sequence, 0) AS "lastSequence"
    FROM ${recordset(given)} AS g(hash text, log integer)
    JOIN chain_transactions c ON c.transaction_hash = g.hash AND c.log_index = g.log AND NOT c.is_imported
    JOIN wallets w ON w.address = c.to_address
    JOIN chain_cursors u ON u.chain_id = c.chain_id
    JOIN chain_coverage vw ON vw.chain_id = c.chain_id AND vw.kind = 'wallet' AND vw.address = c.to_address
    JOIN chain_coverage vt ON vt.chain_id = c.chain_id AND vt.kind = 'token' AND vt.address = c.token_address
    CROSS JOIN LATERAL (SELECT kind, token_symbol, decimals FROM tokens
      WHERE contract_address = c.token_address ORDER BY kind LIMIT 1) k
    LEFT JOIN LATERAL (SELECT type, sequence FROM platform_events WHERE entity_type = 'deposit'
      AND entity_id = c.transaction_hash || '/' || c.log_index ORDER BY sequence DESC LIMIT 1) e ON true
    WHERE c.chain_id = ${chainId} AND c.status = ${status} AND c.amount_raw > 0 AND e.type IS DISTINCT FROM ${type}
      AND (e.type IS NOT NULL OR c.block_number >= greatest(u.deposits_from, vw.deposits_from, vt.deposits_from))
    ORDER BY c.block_number, c.log_index`)
  return rows
}

const entityOf = ({ transactionHash, logIndex, lastSequence }: DepositRow) => ({
  id: `${transactionHash}/${logIndex}`,
  version: lastSequence + 1,
})

const wasConfirmed = ({ lastType }: DepositRow) => lastType === 'deposit.confirmed'

/** Tells the platform of final deposits among these transfers, each once. Hold the cursor's lock. */
export async function enqueueConfirmed(
  tx: Tx,
  ctx: Pick<Ctx, 'chain' | 'config'>,
  transfers: readonly LogKey[],
): Promise<void> {
  if (transfers.length === 0) return
  const { chainId } = ctx.chain
  const deposits = await findUntold(tx, chainId, 'deposit.confirmed', transfers)
  await enqueueEvents(
    tx,
    ctx,
    deposits.map((deposit) => {
      const { lastType: _type, lastSequence: _sequence, ...data } = deposit
      return platformEvent('deposit.confirmed', { ...entityOf(deposit), data: { ...data, chainId } })
    }),
  )
}

/**
 * Tells the platform of deposits among these transfers that failed; with `onlyConfirmed` of those that were confirmed,
 * as when the transfer goes on under another log. An operator hears of confirmed ones, since the platform may have
 * acted on them. Hold the cursor's lock.
 */
export async function enqueueDropped(
  tx: Tx,
  ctx: Pick<Ctx, 'chain' | 'config' | 'ipAddress'>,
  transfers: readonly LogKey[],
  { onlyConfirmed = false } = {},
): Promise<void> {
  if (transfers.length === 0) return
  const { chainId } = ctx.chain
  const untold = await findUntold(tx, chainId, 'deposit.dropped', transfers)
  const deposits = onlyConfirmed ? untold.filter(wasConfirmed) : untold
  await enqueueEvents(
    tx,
    ctx,
    deposits.map((deposit) => {
      const { lastType: _type, lastSequence: _sequence, ...data } = deposit
      const told = { ...data, chainId, wasConfirmed: wasConfirmed(deposit) }
      return platformEvent('deposit.dropped', { ...entityOf(deposit), data: told })
    }),
  )
  for (const deposit of deposits.filter(wasConfirmed)) {
    const { memberId, amount, tokenSymbol, transactionHash, logIndex, walletAddress, blockNumber } = deposit
    await raiseSecurityEvent(tx, ctx, {
      severity: 'high',
      type: 'deposit_dropped',
      description: `A confirmed deposit of ${amount} ${tokenSymbol} is no longer on the chain: what the member ${memberId} got for it is to be checked`,
      details: { chainId, memberId, walletAddress, transactionHash, logIndex, blockNumber, amount, tokenSymbol },
    })
  }
}
