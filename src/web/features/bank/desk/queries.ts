import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { bankRoutes, type LineAge } from '#contract/bank.ts'
import { allocationRoutes, type Suggestion } from '#contract/bank-allocations.ts'
import { buildQuery, call } from '#web/api.ts'

/** Which lines of the work are listed. */
export type WorkFilter = 'todo' | Suggestion

/** How many lines are listed at first, and how many more at a time. The server gives 1,000 at most. */
export const workStep = 200
export const mostWork = 1000

export interface WorkPlace {
  /** Undefined: of all accounts. */
  accountId: string | undefined
  work: WorkFilter
  /** Only those that were booked so many days ago. */
  age?: LineAge | undefined
  /** Only those of the accounts in this currency. */
  currency?: string | undefined
}

/** Whether nothing narrows the work. */
export const isWholeWork = ({ work, age, currency }: WorkPlace) =>
  work === 'todo' && age === undefined && currency === undefined

/** The lines that are work, the oldest first. The old ones stay until the new ones come. */
export const workQuery = (place: WorkPlace, limit: number) => ({
  ...buildQuery(bankRoutes.lines, { query: { ...place, page: 1, limit, total: 'exact' } }),
  placeholderData: keepPreviousData,
})

export const lineQuery = (id: string) => buildQuery(allocationRoutes.line, { params: { id } })

/** What speaks for and against a line paying each of these orders. The key begins with the line's: both are fetched again together. */
export const scoredQuery = (lineId: string, orderIds: readonly string[]) =>
  queryOptions({
    queryKey: [...lineQuery(lineId).queryKey, 'score', ...orderIds],
    queryFn: async ({ signal }) =>
      Promise.all(
        orderIds.map((orderId) =>
          call(allocationRoutes.score, { params: { id: lineId }, body: { orderId }, signal, isPassive: true }),
        ),
      ),
    placeholderData: keepPreviousData,
  })

export const policyQuery = () => buildQuery(allocationRoutes.policy)
