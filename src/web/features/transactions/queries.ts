import { keepPreviousData } from '@tanstack/react-query'
import { chainRoutes } from '#contract/chain.ts'
import { pageSize } from '#contract/common.ts'
import { transactionRoutes, transactionStatuses } from '#contract/transactions.ts'
import { queryOf } from '#web/api.ts'

interface Place {
  search: string
  /** A value of the status filter, as it stands in the address bar; anything else is no filter. */
  status: string
  page: number
}

/** One page of the history. The old rows stay until the new ones come. */
export const monitorQuery = ({ search, status, page }: Place) => ({
  ...queryOf(transactionRoutes.monitor, {
    query: { search, status: transactionStatuses.find((known) => known === status), page, limit: pageSize },
  }),
  placeholderData: keepPreviousData,
})

export const figuresQuery = () => queryOf(transactionRoutes.figures)

export const healthQuery = () => queryOf(chainRoutes.health)
