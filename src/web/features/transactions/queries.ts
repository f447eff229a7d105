import type { QueryClient } from '@tanstack/react-query'
import { chainRoutes } from '#contract/chain.ts'
import { treasuryRoutes } from '#contract/treasury.ts'
import { transactionRoutes } from '#contract/transactions.ts'
import type { TreasuryWallet } from '#contract/schemas/treasury.ts'
import { buildQuery } from '#web/api.ts'
import { refetchReads } from '#web/refetch-reads.ts'

export const figuresQuery = () => buildQuery(transactionRoutes.figures)

export const treasuryQuery = () => buildQuery(treasuryRoutes.read)

export const healthQuery = () => buildQuery(chainRoutes.health)

/** Fetches again what shows own wallets: the treasury, and the other side of transfers. */
export const refetchTreasury = (client: QueryClient) =>
  refetchReads(client, '/api/chain/treasury', '/api/blockchain-transactions')

/** An own wallet as it is now. Throws where it is gone. */
export async function fetchWallet({ id }: TreasuryWallet, client: QueryClient): Promise<TreasuryWallet> {
  const { wallets } = await client.fetchQuery({ ...treasuryQuery(), staleTime: 0 })
  const found = wallets.find((wallet) => wallet.id === id)
  if (!found) throw new Error('This wallet was removed meanwhile')
  return found
}
