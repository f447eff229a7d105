import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { bankDirections, bankLineStates, bankRoutes } from '#contract/bank.ts'
import { pageSize } from '#contract/common.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { buildQuery } from '#web/api.ts'

export const accountsQuery = () => buildQuery(bankRoutes.accounts)

interface LineListState {
  /** Undefined: the lines of all accounts. */
  accountId: string | undefined
  search: string
  /** Values of the filters, as they stand in the address bar; anything else is no filter. */
  status: string
  direction: string | undefined
  page: number
}

export const buildLineFilter = ({ accountId, search, status, direction }: Omit<LineListState, 'page'>) => ({
  accountId,
  search,
  state: bankLineStates.find((known) => known === status),
  direction: bankDirections.find((known) => known === direction),
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

/** Counts the lines of an account that are settled. */
export const settledLinesQuery = (accountId: string) =>
  buildQuery(bankRoutes.lines, { query: { accountId, state: 'settled', page: 1, limit: 1 } })

export const statementsQuery = (accountId: string | undefined, page: number) => ({
  ...buildQuery(bankRoutes.statements, { query: { accountId, page, limit: pageSize } }),
  placeholderData: keepPreviousData,
})

/** The statement of an account that was imported last. */
export const latestStatementQuery = (accountId: string) =>
  buildQuery(bankRoutes.statements, { query: { accountId, page: 1, limit: 1 } })

/** Fetches again what is shown of the bank; resolves when it is there. */
export const refetchBank = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) => typeof first === 'string' && first.startsWith('/api/bank/'),
  })

/** Fetches an account as it is now. Throws when it is gone. */
export async function fetchAccount({ id }: BankAccount, client: QueryClient): Promise<BankAccount> {
  const { accounts } = await client.fetchQuery({ ...accountsQuery(), staleTime: 0 })
  const found = accounts.find((each) => each.id === id)
  if (!found) throw new Error(`there is no bank account ${id}`)
  return found
}
