import { useNavigate, useSearch } from '@tanstack/react-router'

/** Filters of one tab, which mean nothing in another. */
const filters = [
  'search',
  'status',
  'type',
  'created',
  'userId',
  'token',
  'kind',
  'endpoint',
  'from',
  'to',
  'unreached',
  'undecided',
  'waiting',
  'direction',
  'resolved',
  'attention',
  'work',
  'age',
  'currency',
  'line',
  'view',
  'action',
  'sort',
  'page',
]
const withoutFilters = Object.fromEntries(filters.map((name) => [name, undefined]))

/** The tab that the address bar names, the first where it names none; choosing another leaves its filters behind. */
export function useTab<Tab extends string>(tabs: readonly [Tab, ...Tab[]]): [Tab, (chosen: Tab) => void] {
  const navigate = useNavigate()
  const { tab }: { tab?: unknown } = useSearch({ strict: false })
  const choose = (chosen: Tab) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({
        ...now,
        ...withoutFilters,
        tab: chosen === tabs[0] ? undefined : chosen,
      }),
    })
  return [tabs.find((known) => known === tab) ?? tabs[0], choose]
}
