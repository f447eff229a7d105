import { transactionTabs } from '#web/paths.ts'
import { useTab } from '#web/table/use-tab.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { ChainHealthChip } from './chain-health.tsx'
import { ChainTab } from './chain-tab.tsx'
import { PlatformTab } from './platform-tab.tsx'
import { TreasuryTab } from './treasury-tab.tsx'

const tabs = [
  { value: 'chain' as const, label: 'Chain', panel: <ChainTab /> },
  { value: 'platform' as const, label: 'Platform', panel: <PlatformTab /> },
  { value: 'treasury' as const, label: 'Treasury', panel: <TreasuryTab /> },
]

/** Transaction Monitoring: transfers on the chain, movements on the members' accounts, and who holds how much. */
export default function TransactionsPage() {
  const [tab, choose] = useTab(transactionTabs)
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[minmax(36rem,1fr)] page-scrolls:block print:block">
      <Tabs
        label="Transactions"
        tabs={tabs}
        value={tab}
        onChange={choose}
        fill
        end={tab === 'chain' && <ChainHealthChip />}
      />
    </div>
  )
}
