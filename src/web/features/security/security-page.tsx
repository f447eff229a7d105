import { securityTabs } from '#web/paths.ts'
import { useTab } from '#web/table/use-tab.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { EventsTab } from './events-tab.tsx'
import { Figures } from './figures.tsx'
import { IntegrityStrip } from './integrity-strip.tsx'
import { LogsTab } from './logs-tab.tsx'

const tabs = [
  { value: 'events' as const, label: 'Security Events', panel: <EventsTab /> },
  { value: 'actions' as const, label: 'Admin Actions', panel: <LogsTab /> },
]

/** Security & Audit Logs (product 5.12): security events, and what operators did. */
export default function SecurityPage() {
  const [tab, choose] = useTab(securityTabs)
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(24rem,1fr)] page-scrolls:block print:block">
      <div className="gutter max-w-table pt-4">
        <Figures />
        <IntegrityStrip />
      </div>
      <Tabs label="Security and audit logs" tabs={tabs} value={tab} onChange={choose} fill />
    </div>
  )
}
