import type { QueryClient } from '@tanstack/react-query'
import type { TreasuryWallet } from '#contract/schemas/treasury.ts'
import { treasuryQuery } from './queries.ts'

/** Fetches again what shows own wallets: the treasury, and the other side of transfers. */
export const refetchTreasury = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === 'string' &&
      (first === '/api/chain/treasury' || first.startsWith('/api/blockchain-transactions')),
  })

/** An own wallet as it is now. Throws where it is gone. */
export async function fetchWallet({ id }: TreasuryWallet, client: QueryClient): Promise<TreasuryWallet> {
  const { wallets } = await client.fetchQuery({ ...treasuryQuery(), staleTime: 0 })
  const found = wallets.find((wallet) => wallet.id === id)
  if (!found) throw new Error('This wallet was removed meanwhile')
  return found
}
