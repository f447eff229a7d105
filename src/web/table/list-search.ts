/** A list's state as it stands in the address bar; what is absent has its default. */
export interface ListSearch {
  search?: string
  status?: string
  page?: number
}

const longestSearch = 200

/**
 * Reads a list's state from the address bar. Unknown parameters are kept, bad values fall back to the default
 * (PRODUCT 3.7). `statuses` are the values the status filter has.
 */
export function readListSearch(statuses: readonly string[] = []) {
  return (given: Record<string, unknown>): ListSearch & Record<string, unknown> => {
    const search = typeof given.search === 'string' && given.search.trim() !== '' ? given.search : undefined
    const page = Number(given.page)
    return {
      ...given,
      search: search?.slice(0, longestSearch),
      status: statuses.find((status) => status === given.status),
      page: Number.isSafeInteger(page) && page > 1 && page <= 1_000_000 ? page : undefined,
    }
  }
}
