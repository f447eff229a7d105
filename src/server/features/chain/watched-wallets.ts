import { sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import { splitIntoChunks } from '#server/lib/chunks.ts'

/** Wallets whose transfers are wanted. There may be millions, so they are asked for the addresses at hand. */
export interface WatchedWallets {
  /** Those of these addresses that are among them. */
  findAmong(addresses: ReadonlySet<string>): Promise<ReadonlySet<string>>
  /** All of them, in parts of at most `size`. */
  parts(size: number): AsyncIterable<string[]>
}

/** A number of wallets that memory holds without notice. */
export const listedWallets = (wallets: ReadonlySet<string>): WatchedWallets => ({
  findAmong: async (addresses) => new Set([...addresses].filter((address) => wallets.has(address))),
  async *parts(size) {
    yield* splitIntoChunks([...wallets], size)
  },
})

/** Addresses of one statement. */
const addressesPerQuery = 10_000

/** All wallets whose transfers are read, as the database has them. */
export const coveredWallets = ({ database: { db }, chain: { chainId } }: Pick<Ctx, 'database' | 'chain'>) => {
  const isCovered = sql`chain_id = ${chainId} AND kind = 'wallet'`
  return {
    async findAmong(addresses) {
      const found = new Set<string>()
      for (const some of splitIntoChunks([...addresses], addressesPerQuery)) {
        const { rows } = await db.execute<{ address: string }>(
          sql`SELECT address FROM chain_coverage WHERE ${isCovered} AND address = ANY(${textArray(some)})`,
        )
        for (const { address } of rows) found.add(address)
      }
      return found
    },
    async *parts(size) {
      for (let after = ''; ;) {
        const { rows } = await db.execute<{ address: string }>(sql`
          SELECT address FROM chain_coverage WHERE ${isCovered} AND address > ${after} ORDER BY address LIMIT ${size}`)
        if (rows.length > 0) yield rows.map(({ address }) => address)
        if (rows.length < size) return
        after = rows.at(-1)!.address
      }
    },
  } satisfies WatchedWallets
}
