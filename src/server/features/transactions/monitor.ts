import { parseKeyBeginning } from '#contract/whole-key.ts'
import type { TransactionStatus } from '#contract/transactions.ts'
import type { MonitoredTransaction, TransactionFigures, TransactionsQuery } from '#contract/schemas/transactions.ts'
import type { Ctx } from '#server/core/context.ts'
import { keyBegins, filterDays } from '#server/db/list-rows.ts'
import { declareCounts } from '#server/db/counts.ts'
import { type ListRequest, type ListDesign, type ListFilter, dateOrders, readList } from '#server/db/list.ts'
import { expressions, jsonObject } from '#server/db/select.ts'
import { chainTransactions } from '#server/db/tables/transactions.ts'
import { memberRefColumns } from '#server/features/members/service.ts'

const { id, transactionHash, logIndex, transactionType, amount, tokenAddress, status, walletAddress, createdAt } =
  chainTransactions

/** The symbol of the registered token. One contract may be a token of each kind. */
export const symbolOf = (address: string) =>
  `(SELECT k.token_symbol FROM tokens k WHERE k.contract_address = ${address} ORDER BY k.kind LIMIT 1)`

const counts = declareCounts({
  name: 'chain_transactions',
  table: chainTransactions,
  at: createdAt,
  by: { transactionType, status },
})

/** Completed transfers by token, and by the symbol that they carry: an unregistered token is still named. */
const volumes = declareCounts({
  name: 'chain_volume',
  table: chainTransactions,
  at: null,
  by: { tokenAddress, tokenSymbol: chainTransactions.tokenSymbol },
  only: "t.status = 'completed'",
  amount,
})

/** The side that does not own the row; null where an imported row says nothing of it. */
const otherSide = 'CASE WHEN t.from_address = t.wallet_address THEN t.to_address ELSE t.from_address END'

const memberOrNull = (alias: string) =>
  `CASE WHEN ${alias}.id IS NOT NULL THEN ${jsonObject(memberRefColumns, alias)} END`

const design: ListDesign = {
  ...counts.list,
  select: {
    ...expressions(
      { id, transactionHash, logIndex, transactionType, amount, tokenAddress, status, walletAddress, createdAt },
      't',
    ),
    blockNumber: 't.block_number::float8',
    type: 't.transaction_type',
    tokenSymbol: `coalesce(t.token_symbol, ${symbolOf('t.token_address')})`,
    userId: 'w.member_id',
    user: memberOrNull('m'),
    counterparty: `CASE WHEN ${otherSide} IS NOT NULL THEN
      json_build_object('address', ${otherSide}, 'user', ${memberOrNull('om')}, 'label', own.label) END`,
  },
  join: `LEFT JOIN wallets w ON w.address = t.wallet_address LEFT JOIN members m ON m.id = w.member_id
    LEFT JOIN wallets ow ON ow.address = ${otherSide} LEFT JOIN members om ON om.id = ow.member_id
    LEFT JOIN treasury_wallets own ON own.address = ${otherSide}`,
}

const hashLength = 66
const addressLength = 42

/**
 * A search matches a hash or address, or its beginning, through an index. Transfers contain no other text. A transfer
 * between members is found by both wallets.
 */
function keyConditions(key: string | null): string {
  if (key === null) return '$1::text IS NULL'
  const beginsHash = keyBegins('t.transaction_hash', '$1', hashLength, 'f')
  if (key.length > addressLength) return beginsHash
  const beginsAddress = (column: string) => keyBegins(column, '$1', addressLength, 'f')
  return `(${beginsHash} OR ${beginsAddress('t.wallet_address')} OR ${beginsAddress('t.to_address')})`
}

const tokenFilter = (address: string): ListFilter => ({
  rows: 't.token_address = $value',
  leaves: null,
  value: address.toLowerCase(),
})

/** A member has few of all transfers, found by the wallets on either side. */
const memberFilter = (userId: string): ListFilter => ({
  rows: `t.id IN (SELECT c.id FROM wallets o JOIN chain_transactions c ON c.wallet_address = o.address WHERE o.member_id = $value
    UNION SELECT c.id FROM wallets o JOIN chain_transactions c ON c.to_address = o.address WHERE o.member_id = $value)`,
  leaves: null,
  value: userId,
})

export const buildChainTransactionList = (query: Partial<TransactionsQuery>): ListRequest => {
  const { type, status: wanted, tokenAddress: token, userId, search, sort = 'newest' } = query
  const key = search ? parseKeyBeginning(search) : null
  return {
    list: { ...design, order: dateOrders[sort], ...(search && { matches: keyConditions(key) }) },
    filters: [
      counts.filter({ transactionType: type, status: wanted }),
      ...(token ? [tokenFilter(token)] : []),
      ...(userId ? [memberFilter(userId)] : []),
      ...filterDays(query),
    ],
    typed: key ?? search,
  }
}

/** Transfers on the chain, newest first, with the member who registered the wallet. */
export async function listChainTransactions({ reads }: Ctx, query: TransactionsQuery) {
  const { rows, ...rest } = await readList<MonitoredTransaction>(reads, buildChainTransactionList(query), query)
  return { transactions: rows, ...rest }
}

const maxVolumes = 100

// A symbol may hold a slash: it is what follows the address.
const figures = `
  WITH statuses AS (
    SELECT ${counts.part('status')} AS leaf, sum(rows) AS rows FROM ${counts.all} c GROUP BY 1 HAVING sum(rows) <> 0
  ), labels AS (
    SELECT leaf, sum(rows) AS rows, sum(amount) AS amount FROM ${volumes.all} c GROUP BY leaf HAVING sum(rows) <> 0
  ), volumes AS (
    SELECT ${volumes.part('tokenAddress')} AS address, sum(amount) AS volume,
      (array_agg(substr(leaf, ${addressLength} + 2) ORDER BY rows DESC, leaf)
        FILTER (WHERE length(leaf) > ${addressLength} + 1))[1] AS symbol
    FROM labels GROUP BY 1
  ), largest AS (SELECT * FROM volumes ORDER BY volume DESC, address LIMIT ${maxVolumes})
  SELECT
    (SELECT coalesce(json_object_agg(leaf, rows), '{}') FROM statuses) AS counts,
    (SELECT count(*)::int FROM volumes) AS tokens,
    (SELECT coalesce(json_agg(json_build_object('tokenAddress', v.address,
      'tokenSymbol', coalesce(${symbolOf('v.address')}, v.symbol), 'volume', trim_scale(v.volume)::text)
      ORDER BY v.volume DESC, v.address), '[]') FROM largest v) AS volumes`

/** The counts of the monitor's cards, exact at any size of the table (product 12.4). */
export async function readChainFigures({ database }: Ctx): Promise<TransactionFigures> {
  const { rows } = await database.pool.query<{
    counts: Partial<Record<TransactionStatus, number>>
    tokens: number
    volumes: TransactionFigures['volumes']
  }>({ name: 'chain_figures', text: figures })
  const { counts, tokens, volumes } = rows[0]!
  const { completed = 0, pending = 0, failed = 0 } = counts
  return { total: completed + pending + failed, completed, pending, failed, volumes, tokens }
}
