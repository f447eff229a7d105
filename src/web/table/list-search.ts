/** A list's state as it stands in the address bar; what is absent has its default. */
export interface ListSearch {
  search?: string
  status?: string
  page?: number
}

const longestSearch = 200

/** Drops a search that the server would refuse, and never splits a character. */
export function readSearch(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.trim() === '' || given.includes('\0')) return undefined
  return given.slice(0, longestSearch).replace(/[\uD800-\uDBFF]$/, '')
}

/**
 * Reads a list's state from the address bar. Unknown parameters are kept, bad values fall back to the default
 * (product 4.3). Which values a filter has, its list knows.
 */
export function readListSearch(given: Record<string, unknown>): ListSearch & Record<string, unknown> {
  const page = Number(given.page)
  return {
    ...given,
    search: readSearch(given.search),
    status: typeof given.status === 'string' ? given.status : undefined,
    page: Number.isSafeInteger(page) && page > 1 && page <= 1_000_000 ? page : undefined,
  }
}
