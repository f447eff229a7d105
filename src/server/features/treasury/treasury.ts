import { eq, type SQL, sql } from 'drizzle-orm'
import type { Treasury, TreasuryToken, TreasuryWallet } from '#contract/schemas/treasury.ts'
import { RpcError } from '#server/adapters/json-rpc.ts'
import { announce } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { takeLease } from '#server/db/lease.ts'
import { type StoredHoldings, treasuryReadings } from '#server/db/tables/treasury.ts'
import { instantOf } from '#server/features/chain/service.ts'
import { AppError } from '#server/lib/errors.ts'
import { readHoldings, ReadingTooLongError, walletsPerPage } from './read-holdings.ts'
import { listTreasuryWallets } from './wallets.ts'

interface RegisteredToken extends Record<string, unknown> {
  contractAddress: string
  tokenSymbol: string
  projectName: string
  decimals: number
}

/** Each contract once, under its first kind. */
async function listTokens({ database: { db } }: Ctx): Promise<RegisteredToken[]> {
  const { rows } = await db.execute<RegisteredToken>(sql`
    SELECT DISTINCT ON (contract_address) contract_address AS "contractAddress", token_symbol AS "tokenSymbol",
      project_name AS "projectName", decimals
    FROM tokens WHERE contract_address ~ '^0x[0-9a-f]{40}$' ORDER BY contract_address, kind`)
  return rows
}

/** The addresses of all members' wallets, in pages. */
async function* readWalletPages({ database: { db } }: Ctx): AsyncGenerator<string[], void> {
  for (let after = '0'; ;) {
    const { rows } = await db.execute<{ id: string; address: string }>(
      sql`SELECT id::text, address FROM wallets WHERE id > ${after} ORDER BY wallets.id LIMIT ${walletsPerPage}`,
    )
    if (rows.length > 0) yield rows.map(({ address }) => address)
    if (rows.length < walletsPerPage) return
    after = rows.at(-1)!.id
  }
}

/** Reads the holdings from the chain and stores them. */
async function takeReading(ctx: Ctx): Promise<void> {
  const { chainId } = ctx.chain
  const { db } = ctx.database
  const registered = await listTokens(ctx)
  const own = await listTreasuryWallets(db)
  const { block, wallets, holdings } = await readHoldings(ctx, {
    tokens: registered.map((token) => token.contractAddress),
    members: readWalletPages(ctx),
    own: own.map(({ address }) => address),
  })
  const tokens = holdings.map((held, at): StoredHoldings => ({
    ...registered[at]!,
    members: held.members?.toString() ?? null,
    holders: held.holders,
    own: Object.fromEntries([...held.own].map(([address, amount]) => [address, amount.toString()])),
    supply: held.supply?.toString() ?? null,
    problem: held.problem,
  }))
  await storeReading(ctx, chainId, {
    blockNumber: block.number,
    blockAt: instantOf(block),
    readAt: sql`now()`,
    wallets,
    tokens,
    failedAt: null,
    failures: 0,
    problem: null,
  })
}

type ReadingRow = typeof treasuryReadings.$inferInsert
type ReadingChange = { [Name in keyof Omit<ReadingRow, 'chainId'>]: ReadingRow[Name] | SQL }

const storeReading = (ctx: Ctx, chainId: number, first: ReadingChange, later = first) =>
  inTransaction(ctx, async (tx) => {
    await tx
      .insert(treasuryReadings)
      .values({ chainId, ...first })
      .onConflictDoUpdate({ target: treasuryReadings.chainId, set: later })
    await announce(tx, 'chain')
  })

function storeFailure(ctx: Ctx, problem: string) {
  const failure = { failedAt: sql`now()`, failures: 1, problem }
  const again = { ...failure, failures: sql`${treasuryReadings.failures} + 1` }
  return storeReading(ctx, ctx.chain.chainId, failure, again)
}

type ReadingFailure = AppError | RpcError | ReadingTooLongError
const readingsUnderWay = new WeakMap<Ctx['chain'], Promise<ReadingFailure | null>>()

/** Whether the holdings could not be read, which operators are shown. Any other error is of the console itself. */
const isReadingFailure = (error: unknown): error is ReadingFailure =>
  error instanceof ReadingTooLongError ||
  error instanceof RpcError ||
  (error instanceof AppError && error.code.startsWith('chain_'))

/** Reads the holdings once for all who ask at the same time. Stores and returns why they could not be read. */
async function readNow(ctx: Ctx): Promise<ReadingFailure | null> {
  const underWay = readingsUnderWay.get(ctx.chain)
  if (underWay) return underWay
  const reading = takeReading(ctx)
    .then(() => null)
    .catch(async (error: unknown) => {
      if (!isReadingFailure(error)) throw error
      await storeFailure(ctx, error.message)
      return error
    })
    .finally(() => readingsUnderWay.delete(ctx.chain))
  readingsUnderWay.set(ctx.chain, reading)
  return reading
}

/** Reads the holdings now and answers them. Throws outcome_unknown if they are stored and cannot be answered. */
export async function refreshTreasury(ctx: Ctx): Promise<Treasury> {
  if (ctx.chain.mode !== 'off') await readNow(ctx)
  return readTreasury(ctx).catch((error: unknown) => {
    const message = 'The chain was read, and what it said is stored: open the treasury again to see it'
    throw new AppError('outcome_unknown', message, { retryAfter: 5, cause: error })
  })
}

/** Whether the last reading is ten minutes old, or failed: one minute ago, after the next failure two, 32 at most. */
async function isDue({ chain, database: { db } }: Ctx): Promise<boolean> {
  const { rows } = await db.execute<Record<string, unknown>>(sql`
    SELECT FROM treasury_readings WHERE chain_id = ${chain.chainId}
      AND (failed_at > now() - interval '1 minute' * 2 ^ least(failures - 1, 5)
        OR failed_at IS NULL AND read_at > now() - interval '10 minutes')`)
  return rows.length === 0
}

/** The job: one server reads when it is due. Throws ReadingTooLongError, of which the chain shows nothing. */
export async function keepTreasuryFresh(ctx: Ctx): Promise<void> {
  if (ctx.chain.mode === 'off' || !(await isDue(ctx))) return
  const lease = await takeLease(ctx.database, `treasury ${ctx.chain.chainId}`, ctx.config.leaseSeconds)
  if (!lease) return
  try {
    // Another server may have read meanwhile.
    const failure = (await isDue(ctx)) ? await readNow({ ...ctx, database: lease.guard(ctx.database) }) : null
    if (failure instanceof ReadingTooLongError) throw failure
  } finally {
    await lease.release()
  }
}

/** An exact decimal of the smallest units. */
function formatUnits(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, '0')
  const fraction = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, '') : ''
  const whole = decimals > 0 ? digits.slice(0, -decimals) : digits
  return fraction ? `${whole}.${fraction}` : whole
}

/** Percent with two decimals, rounded down. Null of nothing. */
function computeShare(part: bigint | null, supply: bigint | null): string | null {
  if (part === null || supply === null || supply === 0n) return null
  return formatUnits((part * 10_000n) / supply, 2)
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

/** Symbol and decimals follow the registry, where the token still is. */
function describeToken(
  stored: StoredHoldings,
  present: RegisteredToken | undefined,
  wallets: TreasuryWallet[],
): TreasuryToken {
  const { contractAddress, tokenSymbol, projectName, decimals } = present ?? stored
  const isRead = stored.members !== null
  const held = wallets.flatMap(({ address }) => {
    const raw = stored.own[address]
    return raw === undefined ? [] : [{ address, raw: BigInt(raw) }]
  })
  const own = isRead ? sum(held.map(({ raw }) => raw)) : null
  const members = stored.members === null ? null : BigInt(stored.members)
  const supply = stored.supply === null ? null : BigInt(stored.supply)
  const format = (raw: bigint | null) => (raw === null ? null : formatUnits(raw, decimals))
  return {
    contractAddress,
    tokenSymbol,
    projectName,
    members: format(members),
    holders: isRead ? stored.holders : null,
    own: format(own),
    ownWallets: held.map(({ address, raw }) => ({ address, balance: formatUnits(raw, decimals) })),
    supply: format(supply),
    membersShare: computeShare(members, supply),
    ownShare: computeShare(own, supply),
    problem: stored.problem,
  }
}

/** What the last reading found, by the own wallets that are labelled now. */
export async function readTreasury(ctx: Ctx): Promise<Treasury> {
  const { db } = ctx.database
  const wallets = await listTreasuryWallets(db)
  if (ctx.chain.mode === 'off') return { isChainOn: false, reading: null, failure: null, wallets }
  const [stored] = await db.select().from(treasuryReadings).where(eq(treasuryReadings.chainId, ctx.chain.chainId))
  const registered = new Map((await listTokens(ctx)).map((token) => [token.contractAddress, token]))
  const { blockNumber, blockAt, readAt, wallets: count, tokens, failedAt, problem } = stored ?? {}
  const isRead = blockNumber != null && blockAt != null && readAt != null && count != null && tokens != null
  const reading = isRead && {
    blockNumber,
    blockAt,
    readAt,
    wallets: count,
    tokens: tokens
      .map((each) => describeToken(each, registered.get(each.contractAddress), wallets))
      .toSorted((one, other) => one.tokenSymbol.localeCompare(other.tokenSymbol)),
  }
  return {
    isChainOn: true,
    reading: reading || null,
    failure: failedAt && problem ? { problem, at: failedAt } : null,
    wallets,
  }
}
