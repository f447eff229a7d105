import { keepPreviousData } from '@tanstack/react-query'
import { chainRoutes } from '#contract/chain.ts'
import { pageSize } from '#contract/common.ts'
import { transactionRoutes, transactionStatuses, type TransactionType } from '#contract/transactions.ts'
import { queryOf } from '#web/api.ts'
import { browserTimeZone } from '#web/lib/dates.ts'

interface Place {
  search: string
  /** A value of the status filter, as it stands in the address bar; anything else is no filter. */
  status: string
  /** Only transfers of this token, by its contract. */
  tokenAddress: string | undefined
  page: number
}

/** One page of the history. The old rows stay until the new ones come. */
export const monitorQuery = ({ search, status, tokenAddress, page }: Place) => ({
  ...queryOf(transactionRoutes.monitor, {
    query: {
      search,
      status: transactionStatuses.find((known) => known === status),
      tokenAddress,
      page,
      limit: pageSize,
    },
  }),
  placeholderData: keepPreviousData,
})

export const figuresQuery = () => queryOf(transactionRoutes.figures)

export const healthQuery = () => queryOf(chainRoutes.health)

interface PlatformPlace {
  search: string
  /** A value of the status filter, as it stands in the address bar; anything else is no filter. */
  status: string
  type: TransactionType | undefined
  created: 'today' | undefined
  /** The member whose they are. */
  userId: string | undefined
}

export const filterOf = ({ search, status, type, created, userId }: PlatformPlace) => ({
  search,
  status: transactionStatuses.find((known) => known === status),
  type,
  created,
  ...(created && { timeZone: browserTimeZone() }),
  userId,
})
type PlatformFilter = ReturnType<typeof filterOf>

/** Today ends at midnight and no event tells of it: whoever comes to look is shown it anew. */
const ageOf = ({ created }: PlatformFilter) => (created ? { staleTime: 0 } : {})

/** One page of the platform's transactions. The old rows stay until the new ones come. */
export const platformQuery = (filter: PlatformFilter, page: number) => ({
  ...queryOf(transactionRoutes.list, { query: { ...filter, page, limit: pageSize } }),
  ...ageOf(filter),
  placeholderData: keepPreviousData,
})

/** The exact total of a search that the list answered before it was counted. */
export const platformTotalQuery = (filter: PlatformFilter) => ({
  ...queryOf(transactionRoutes.list, { query: { ...filter, page: 1, limit: 1, total: 'exact' } }),
  ...ageOf(filter),
})
