import { parseKeyBeginning } from '#contract/whole-key.ts'
import type { TransactionStatus } from '#contract/transactions.ts'
import type { MonitoredTransaction, TransactionFigures, TransactionsQuery } from '#contract/schemas/transactions.ts'
import type { Ctx } from '#server/core/context.ts'
import { keyBegins } from '#server/db/key-begins.ts'
import { declareCounts } from '#server/db/counts.ts'
import { type ListRequest, type ListDesign, type ListFilter, readList } from '#server/db/list.ts'
import { expressions } from '#server/db/select.ts'
import { chainTransactions } from '#server/db/tables/transactions.ts'

const { id, transactionHash, transactionType, amount, tokenAddress, status, walletAddress, createdAt } =
  chainTransactions

/** The symbol of the registered token. One contract may be a token of each kind. */
const symbolOf = (address: string) =>
  `(SELECT k.token_symbol FROM tokens k WHERE k.contract_address = ${address} ORDER BY k.kind LIMIT 1)`

const counts = declareCounts({ name: 'chain_transactions', table: chainTransactions, at: createdAt, by: { status } })

/** Completed transfers by token, and by the symbol that they carry: a token that nobody has registered is still named. */
const volumes = declareCounts({
  name: 'chain_volume',
  table: chainTransactions,
  at: null,
  by: { tokenAddress, tokenSymbol: chainTransactions.tokenSymbol },
  only: "t.status = 'completed'",
  amount,
})

const design: ListDesign = {
  ...counts.list,
  select: {
    ...expressions(
      { id, transactionHash, transactionType, amount, tokenAddress, status, walletAddress, createdAt },
      't',
    ),
    type: 't.transaction_type',
    tokenSymbol: `coalesce(t.token_symbol, ${symbolOf('t.token_address')})`,
    userId: 'w.member_id',
  },
  join: 'LEFT JOIN wallets w ON w.address = t.wallet_address',
}

const hashLength = 66
const addressLength = 42

/**
 * A search matches a hash or address, or its beginning, through an index. Transfers contain no other text. A transfer
 * between members is found by both wallets.
 */
function keyConditions(key: string | null): string {
  if (key === null) return '$1::text IS NULL'
  const beginsHash = keyBegins('t.transaction_hash', '$1', hashLength, '0', 'f')
  if (key.length > addressLength) return beginsHash
  const beginsAddress = (column: string) => keyBegins(column, '$1', addressLength, '0', 'f')
  return `(${beginsHash} OR ${beginsAddress('t.wallet_address')} OR ${beginsAddress('t.to_address')})`
}

const tokenFilter = (address: string): ListFilter => ({
  rows: 't.token_address = $value',
  leaves: null,
  value: address.toLowerCase(),
})

export const buildChainTransactionList = ({
  status: wanted,
  tokenAddress: token,
  search,
}: Partial<TransactionsQuery>): ListRequest => {
  const key = search ? parseKeyBeginning(search) : null
  return {
    list: search ? { ...design, matches: keyConditions(key) } : design,
    filters: [counts.filter({ status: wanted }), ...(token ? [tokenFilter(token)] : [])],
    typed: key ?? search,
  }
}

/** Transfers on the chain, newest first, with the member who registered the wallet. */
export async function listChainTransactions({ reads }: Ctx, query: TransactionsQuery) {
  const asked = buildChainTransactionList(query)
  // An index counts what a key finds, so the total is exact at once.
  const { rows, ...rest } = await readList<MonitoredTransaction>(reads, asked, { ...query, total: 'exact' })
  return { transactions: rows, ...rest }
}

const maxVolumes = 100

// A symbol may hold a slash: it is what follows the address.
const figures = `
  WITH statuses AS (
    SELECT leaf, sum(rows) AS rows FROM ${counts.all} c GROUP BY leaf HAVING sum(rows) <> 0
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
