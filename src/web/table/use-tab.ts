import { useNavigate, useSearch } from '@tanstack/react-router'

/** The tab that the address bar names, the first where it names none; choosing another leaves its filters behind, and keeps the bank account. */
export function useTab<Tab extends string>(tabs: readonly [Tab, ...Tab[]]): [Tab, (chosen: Tab) => void] {
  const navigate = useNavigate()
  const { tab }: { tab?: unknown } = useSearch({ strict: false })
  const choose = (chosen: Tab) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({
        account: now['account'],
        tab: chosen === tabs[0] ? undefined : chosen,
      }),
    })
  return [tabs.find((known) => known === tab) ?? tabs[0], choose]
}
