import { createChainAccess } from '#server/adapters/chain-access.ts'
import { readConfig } from '#server/core/config.ts'
import type { Ctx } from '#server/core/context.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { endIndexing, indexTransfers } from '#server/features/chain/index-transfers.ts'
import { auditKey } from './console-process.ts'
import type { FakeChain, FakeChainNode } from './fakes/fake-chain.ts'
import { makeMember } from './make.ts'
import type { TestServer } from './server.ts'

/** A chain reader on the test's database, as a server of its own would run it. */
export interface Reader {
  ctx: Ctx
  /** Reads until nothing is left to read at the moment. */
  read(): Promise<void>
  /** Stops the reader. Another one can read at once. */
  stop(): Promise<void>
}

interface ReaderOptions {
  environment?: Record<string, string>
  embeddedUrl?: () => string | undefined
  /** Where PostgreSQL listens instead. */
  connection?: { host: string; port: number }
}

/** Nodes in the order in which they are asked. */
export async function startReader(
  server: TestServer,
  nodes: readonly Pick<FakeChainNode, 'url'>[],
  { environment = {}, embeddedUrl, connection }: ReaderOptions = {},
): Promise<Reader> {
  const config = readConfig({
    DATA_DIR: server.services.config.dataDir,
    DATABASE_URL: 'postgres://localhost/unused',
    AUDIT_KEY: auditKey,
    BSC_RPC_TIMEOUT_MS: '10000',
    BSC_RPC_DEADLINE_MS: '60000',
    INDEXER_POLL_MS: '200',
    INDEXER_START_BLOCK: '0',
    INDEXER_CONFIRMATIONS: '2',
    ...(nodes.length > 0 && { BSC_RPC_URLS: nodes.map(({ url }) => url).join() }),
    ...environment,
  })
  const database = connectPool(
    { ...readConnectionOptions(server.services.database.pool), max: 3, ...connection },
    () => {},
  )
  const chain = embeddedUrl
    ? createChainAccess({ ...config, chainMode: 'embedded' }, async () => embeddedUrl())
    : createChainAccess(config)
  const ctx: Ctx = { ...server.system, config, database, chain }
  const stopping = new AbortController()
  return {
    ctx,
    read: () => indexTransfers(ctx, stopping.signal),
    async stop() {
      stopping.abort()
      await indexTransfers(ctx, stopping.signal).catch(() => {})
      await endIndexing(ctx)
      await database.close()
    },
  }
}

/** Empties what the indexer reads and writes. */
export async function clearChainData(server: TestServer): Promise<void> {
  await server.sql(`TRUNCATE chain_transactions, chain_cursors, chain_coverage, tokens, security_events, list_deltas,
    list_totals, list_days, leases RESTART IDENTITY CASCADE`)
  await server.sql('DELETE FROM members')
}

export async function registerTokens(server: TestServer, ...tokens: { address: string; decimals: number }[]) {
  for (const { address, decimals } of tokens)
    await server.sql(
      `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol, decimals)
       VALUES ('earning', 'x', 'Project ' || right($1, 3), $1, 'T' || right($1, 3), $2)`,
      [address, decimals],
    )
}

export async function registerWallets(server: TestServer, ...addresses: string[]) {
  const { id } = await makeMember(server)
  for (const address of addresses)
    await server.sql('INSERT INTO wallets (member_id, address) VALUES ($1, $2)', [id, address])
  return id
}

export interface TransferRow {
  transactionHash: string
  logIndex: number
  walletAddress: string
  transactionType: string
  tokenAddress: string
  amountRaw: string
  amount: string
  status: string
  blockNumber: number
  blockHash: string
  at: number
  from: string
  to: string
}

/** The indexer's rows, in the chain's order. */
export const readRows = (server: TestServer) =>
  server.sql<TransferRow & Record<string, unknown>>(`
    SELECT transaction_hash AS "transactionHash", log_index AS "logIndex", wallet_address AS "walletAddress",
      transaction_type AS "transactionType", token_address AS "tokenAddress", amount_raw::text AS "amountRaw",
      amount::text AS amount, status, block_number::int AS "blockNumber", block_hash AS "blockHash",
      extract(epoch FROM created_at)::int AS at, from_address AS "from", to_address AS "to"
    FROM chain_transactions WHERE NOT is_imported ORDER BY block_number, log_index, transaction_hash`)

export interface RegisteredItems {
  /** Decimals by address. */
  tokens: Record<string, number>
  wallets: readonly string[]
}

const formatDecimal = (raw: bigint, decimals: number) => {
  if (decimals === 0) return `${raw}`
  const text = `${raw}`.padStart(decimals + 1, '0')
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`.replace(/\.?0+$/, '')
}

/** The rows that the database must have, calculated from the chain. `final` is the last final block. */
export function buildExpectedRows(
  { blocks, head }: FakeChain,
  { tokens, wallets }: RegisteredItems,
  final = head - 2,
): TransferRow[] {
  return blocks.flatMap((block) =>
    block.transfers.flatMap(({ token, from, to, raw, hash }, logIndex) => {
      const [isFrom, isTo] = [wallets.includes(from), wallets.includes(to)]
      if (tokens[token] === undefined || (!isFrom && !isTo)) return []
      return {
        transactionHash: hash,
        logIndex,
        walletAddress: isFrom ? from : to,
        transactionType: isFrom ? (isTo ? 'other' : 'withdrawal') : 'deposit',
        tokenAddress: token,
        amountRaw: `${raw}`,
        amount: formatDecimal(raw, tokens[token]),
        status: block.number <= final ? 'completed' : 'pending',
        blockNumber: block.number,
        blockHash: block.hash,
        at: block.at,
        from,
        to,
      }
    }),
  )
}
