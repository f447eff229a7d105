import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { chainRoutes } from '#contract/chain.ts'
import { pageSize } from '#contract/common.ts'
import type { createdSorts, platformTransactionSorts } from '#contract/sorts.ts'
import { treasuryRoutes } from '#contract/treasury.ts'
import { transactionRoutes, transactionStatuses, type TransactionType } from '#contract/transactions.ts'
import type { TreasuryWallet } from '#contract/schemas/treasury.ts'
import { buildQuery } from '#web/api.ts'
import { withZone } from '#web/lib/dates.ts'
import { refetchReads } from '#web/refetch-reads.ts'

/** The status filter's options, in their order. */
export const statuses = [
  { value: 'completed', label: 'Completed' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
]
export const statusValues = statuses.map(({ value }) => value)

interface MonitorListState {
  search: string
  /** A value of the status filter, as it stands in the address bar; anything else is not a filter. */
  status: string
  type: TransactionType | undefined
  /** Only transfers of this token, by its contract. */
  tokenAddress: string | undefined
  /** The member on either side. */
  userId: string | undefined
  /** Days of the browser's time zone. */
  from: string | undefined
  to: string | undefined
  sort: keyof typeof createdSorts | undefined
}

export const buildMonitorFilter = ({
  search,
  status,
  type,
  tokenAddress,
  userId,
  from,
  to,
  sort,
}: MonitorListState) => ({
  search,
  status: transactionStatuses.find((known) => known === status),
  type,
  tokenAddress,
  userId,
  ...withZone({ from, to }),
  sort,
})

/** One page of the history. The old rows stay until the new ones come. */
export const monitorQuery = (filter: ReturnType<typeof buildMonitorFilter>, page: number) => ({
  ...buildQuery(transactionRoutes.monitor, { query: { ...filter, page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

export const figuresQuery = () => buildQuery(transactionRoutes.figures)

export const treasuryQuery = () => buildQuery(treasuryRoutes.read)

export const healthQuery = () => buildQuery(chainRoutes.health)

interface PlatformListState {
  search: string
  /** A value of the status filter, as it stands in the address bar; anything else is not a filter. */
  status: string
  type: TransactionType | undefined
  /** Days of the browser's time zone. */
  from: string | undefined
  to: string | undefined
  /** The member whose they are. */
  userId: string | undefined
  sort: keyof typeof platformTransactionSorts | undefined
}

export const buildPlatformFilter = ({ search, status, type, from, to, userId, sort }: PlatformListState) => ({
  search,
  status: transactionStatuses.find((known) => known === status),
  type,
  ...withZone({ from, to }),
  userId,
  sort,
})
type PlatformFilter = ReturnType<typeof buildPlatformFilter>

/** One page of the platform's transactions. The old rows stay until the new ones come. */
export const platformQuery = (filter: PlatformFilter, page: number) => ({
  ...buildQuery(transactionRoutes.list, { query: { ...filter, page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

/** The exact total of a search that the list answered before it was counted. */
export const platformTotalQuery = (filter: PlatformFilter) =>
  buildQuery(transactionRoutes.list, { query: { ...filter, page: 1, limit: 1, total: 'exact' } })

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
