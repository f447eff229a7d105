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
  return ({ search, status, page, ...unknown }: Record<string, unknown>): ListSearch & Record<string, unknown> => {
    const number = Number(page)
    return {
      ...unknown,
      ...(typeof search === 'string' && search.trim() !== '' && { search: search.slice(0, longestSearch) }),
      ...(typeof status === 'string' && statuses.includes(status) && { status }),
      ...(Number.isSafeInteger(number) && number > 1 && number <= 1_000_000 && { page: number }),
    }
  }
}
