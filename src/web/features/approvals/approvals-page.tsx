import { approvalTabs } from '#web/paths.ts'
import { useTab } from '#web/table/use-tab.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { useCan } from '#web/use-can.ts'
import { RequestsTab } from './requests-tab.tsx'
import { RulesTab } from './rules-tab.tsx'

const requests = { value: 'requests' as const, label: 'Requests', panel: <RequestsTab /> }
const rules = { value: 'rules' as const, label: 'Rules', panel: <RulesTab /> }

/** Approvals (product 5.16): what waits for a second operator, and the rules that say what does. */
export default function ApprovalsPage() {
  const [tab, choose] = useTab(approvalTabs)
  const maySet = useCan('approvals.rules')
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[minmax(24rem,1fr)] page-scrolls:block print:block">
      <Tabs label="Approvals" tabs={maySet ? [requests, rules] : [requests]} value={tab} onChange={choose} fill />
    </div>
  )
}
