import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import {
  bankDirections,
  bankLineStates,
  bankRoutes,
  type ImportAttention,
  type LineAttention,
  type StatementAttention,
} from '#contract/bank.ts'
import { pageSize } from '#contract/common.ts'
import type { lineSorts } from '#contract/sorts.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { buildQuery } from '#web/api.ts'
import { accountsQuery } from '#web/bank/queries.ts'

interface LineListState {
  /** Undefined: the lines of all accounts. */
  accountId: string | undefined
  search: string
  /** Values of the filters, as they stand in the address bar; anything else is not a filter. */
  status: string
  direction: string | undefined
  /** The list of a notice. */
  attention: LineAttention | undefined
  /** Days of booking. */
  from: string | undefined
  to: string | undefined
  sort: keyof typeof lineSorts | undefined
  page: number
}

export const buildLineFilter = ({
  accountId,
  search,
  status,
  direction,
  attention,
  from,
  to,
  sort,
}: Omit<LineListState, 'page'>) => ({
  accountId,
  search,
  state: bankLineStates.find((known) => known === status),
  direction: bankDirections.find((known) => known === direction),
  attention,
  from,
  to,
  sort,
})
type LineFilter = ReturnType<typeof buildLineFilter>

/** One page of the lines. The old rows stay until the new ones come. */
export const linesQuery = (filter: LineFilter, page: number) => ({
  ...buildQuery(bankRoutes.lines, { query: { ...filter, page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

/** The exact total of a search that the list answered before it was counted (product 4.5). */
export const exactLinesQuery = (filter: LineFilter) =>
  buildQuery(bankRoutes.lines, { query: { ...filter, page: 1, limit: 1, total: 'exact' } })

interface StatementFilter {
  accountId: string | undefined
  attention: StatementAttention | undefined
}

export const statementsQuery = (filter: StatementFilter, page: number) => ({
  ...buildQuery(bankRoutes.statements, { query: { ...filter, page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

interface ImportFilter {
  accountId: string | undefined
  attention: ImportAttention | undefined
}

export const importsQuery = (filter: ImportFilter, page: number) => ({
  ...buildQuery(bankRoutes.imports, { query: { ...filter, page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

/** Fetches an account as it is now. Throws when it is gone. */
export async function fetchAccount({ id }: BankAccount, client: QueryClient): Promise<BankAccount> {
  const { accounts } = await client.fetchQuery({ ...accountsQuery(), staleTime: 0 })
  const found = accounts.find((each) => each.id === id)
  if (!found) throw new Error(`there is no bank account ${id}`)
  return found
}
