import { useNavigate, useSearch } from '@tanstack/react-router'
import { securityTabs, type SecurityTab } from '#web/paths.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { EventsTab } from './events-tab.tsx'
import { Figures } from './figures.tsx'
import { LogsTab } from './logs-tab.tsx'

const tabs = [
  { value: 'events' as const, label: 'Security Events', panel: <EventsTab /> },
  { value: 'actions' as const, label: 'Admin Actions', panel: <LogsTab /> },
]

/** Security & Audit Logs (SPEC section 2): what happened at the door, and what operators did. */
export function SecurityPage() {
  const navigate = useNavigate()
  const { tab }: { tab?: SecurityTab } = useSearch({ strict: false })
  // A tab's filter and page mean nothing in the other one.
  const choose = (value: SecurityTab) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({
        ...now,
        tab: value === securityTabs[0] ? undefined : value,
        status: undefined,
        page: undefined,
      }),
    })
  return (
    <div className="grid h-full grid-rows-[auto_minmax(24rem,1fr)]">
      <div className="gutter mx-auto w-full max-w-content pt-4">
        <Figures />
      </div>
      <Tabs
        label="Security and audit logs"
        tabs={tabs}
        value={tab ?? securityTabs[0]}
        onChange={choose}
        className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)] pt-2 [&>[role=tablist]]:mx-auto [&>[role=tablist]]:mb-0 [&>[role=tablist]]:w-full [&>[role=tablist]]:max-w-content [&>[role=tablist]]:px-(--gutter) [&>[role=tabpanel]]:min-h-0"
      />
    </div>
  )
}
