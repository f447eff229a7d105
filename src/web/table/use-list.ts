import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useMatch, useSearch } from '@tanstack/react-router'
import { pageSize } from '#contract/common.ts'
import { type FilterValues, type ListDesign, readFilterValue, splitValues } from '#contract/list.ts'
import type { ParamsOf, QueryInputOf, ReplyOf, Route } from '#contract/route.ts'
import { findViewList, unsavedParameters } from '#contract/views.ts'
import { buildQuery } from '#web/api.ts'
import { withZone } from '#web/lib/dates.ts'
import { useSearchChange } from '#web/use-search-change.ts'
import { amountParameters, type AmountRange, useAmounts } from './amount-filter.tsx'
import { dayParameters, useDays } from './day-filter.tsx'
import { useExactTotal } from './exact-total.ts'
import { readListSearch } from './list-search.ts'
import type { RowsQuery } from './table-region.tsx'
import { useSort } from './use-sort.ts'

export interface ListState {
  search: string
  page: number
  /** Changes with everything that narrows or orders the list. */
  key: string
  setSearch: (search: string, how?: { replace: boolean }) => void
  setPage: (page: number, how?: { replace: boolean }) => void
  /** Whether anything but the search narrows the list. */
  isFiltered: boolean
  clearFilters: () => void
}

interface ListPage {
  total: number
  totalExact?: boolean | undefined
  page: number
  limit: number
}

/** A list as its table shows it, whatever its rows are. */
export interface List {
  design: ListDesign
  /** Of its filters; undefined where one is off. */
  values: Readonly<Record<string, string | undefined>>
  amounts: AmountRange
  /** Parameters of the address bar whose values the list does not know, and so shows as if they were not there. */
  unknown: readonly string[]
  /** The query of its call, without the page: that of its export, too. */
  filter: Record<string, string | undefined>
  state: ListState
  query: RowsQuery & { data: ListPage | undefined; dataUpdatedAt: number }
  /** The exact total, once a second call has counted it (product 4.5). */
  exactTotal: number | undefined
}

interface ListOptions<Design extends ListDesign, R extends Route> {
  params?: ParamsOf<R>
  /** What the call takes besides what the address bar says, or instead of it. */
  adjust?: (values: FilterValues<Design>, search: string) => Partial<QueryInputOf<R>>
  /** Parameters of the address bar that narrow the list, besides those of its design. */
  parameters?: readonly string[]
  /** 0 where the rows change with time, without an event. */
  staleTime?: number
}

/** The values of a list's filters, as the address bar has them. Anything else is not a filter. */
function readFilters<Design extends ListDesign>({ filters }: Design, address: Record<string, unknown>) {
  const values = Object.entries(filters).map(
    ([name, filter]) => [name, readFilterValue(filter, address[filter.parameter ?? name])] as const,
  )
  // Object.fromEntries only knows that the names are strings.
  return Object.fromEntries(values) as FilterValues<Design>
}

const isGiven = (value: unknown) => value !== undefined && value !== '' && value !== 'all'

/** What the address asks for and the list does not have, in whole or in part. `known` are all parameters of the list. */
function findUnknown({ filters, sorts = {} }: ListDesign, address: Record<string, unknown>, known: string[] | null) {
  const strange = known ? Object.keys(address).filter((name) => isGiven(address[name]) && !known.includes(name)) : []
  const unknown = Object.entries(filters).flatMap(([name, filter]) => {
    const parameter = filter.parameter ?? name
    const given = address[parameter]
    const value = readFilterValue(filter, given)
    const isKnown = value !== undefined && splitValues(value).length === splitValues(String(given)).length
    return isGiven(given) && !isKnown ? [parameter] : []
  })
  const { sort } = address
  return [...unknown, ...strange, ...(isGiven(sort) && !Object.hasOwn(sorts, String(sort)) ? ['sort'] : [])]
}

/** Search and page of a list in the address bar. Whatever narrows the list leads to its first page. */
function useListState(parameters: readonly string[], values: Record<string, string | undefined>): ListState {
  const changeSearch = useSearchChange()
  const { search = '', page = 1, ...address } = readListSearch(useSearch({ strict: false }))
  return {
    search,
    page,
    key: JSON.stringify([search, page, values, parameters.map((name) => address[name]), address['sort']]),
    setSearch: (text, how) => changeSearch({ search: text || undefined, page: undefined }, how),
    setPage: (number, how) => changeSearch({ page: number > 1 ? number : undefined }, how),
    isFiltered:
      Object.values(values).some((value) => value !== undefined) || parameters.some((name) => Boolean(address[name])),
    clearFilters: () => changeSearch(Object.fromEntries([...parameters, 'page'].map((name) => [name, undefined]))),
  }
}

/**
 * A list as its design and the address bar say: one page of it, whose old rows stay until the new ones come, and its exact total
 * where the page was answered before all was counted (product 4.5). Its filters survive reload, Back and a pasted link.
 */
export function useList<Design extends ListDesign, R extends Route>(
  design: Design,
  route: R,
  { params, adjust, parameters = [], staleTime }: ListOptions<Design, R> = {},
) {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const values = readFilters(design, address)
  const days = useDays()
  const amounts = useAmounts(design.amounts)
  const sort = useSort(design.sorts ?? {})
  const own = Object.entries(design.filters).map(([name, { parameter = name }]) => parameter)
  const ranges = [...(design.days ? dayParameters : []), ...(design.amounts ? amountParameters : [])]
  const state = useListState([...own, ...parameters, ...ranges], values)
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname.replace(/\/+$/, '') })
  const isSaved = findViewList(path, typeof address['tab'] === 'string' ? address['tab'] : null) !== null
  const known = isSaved ? [...own, ...parameters, ...ranges, ...unsavedParameters, 'sort'] : null
  const filter = {
    ...(design.search && { search: state.search }),
    ...values,
    ...(design.days === 'instant' ? withZone(days) : design.days && { from: days.from, to: days.to }),
    ...(design.amounts && amounts),
    ...(design.sorts && { sort }),
    ...adjust?.(values, state.search),
  }
  // The types of a call follow from its route, which is known only where the list is used.
  const buildListQuery = (page: Record<string, unknown>) => ({
    ...(buildQuery(route as Route, { params, query: { ...filter, ...page } } as never) as unknown as UseQueryOptions<
      ReplyOf<R> & ListPage,
      Error,
      ReplyOf<R> & ListPage,
      string[]
    >),
    ...(staleTime !== undefined && { staleTime }),
  })
  const query = useQuery({
    ...buildListQuery({ page: state.page, limit: pageSize }),
    placeholderData: keepPreviousData,
  })
  const { exactTotal, refresh } = useExactTotal(query, buildListQuery({ page: 1, limit: 1, total: 'exact' }))
  return {
    design,
    values,
    amounts,
    unknown: findUnknown(design, address, known).filter((name) => !parameters.includes(name)),
    state,
    filter: filter as Record<string, string | undefined>,
    query,
    exactTotal,
    refresh,
  }
}
