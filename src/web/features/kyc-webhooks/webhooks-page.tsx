import { cn } from '#web/lib/cn.ts'
import { webhooksTabs } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { useTab } from '#web/table/use-tab.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { FailuresCard } from './failures-card.tsx'
import { Figures } from './figures.tsx'
import { LogsCard } from './logs-card.tsx'
import { SubmitCard } from './submit-card.tsx'

const EndpointsTab = lazy(() => import('./deliveries/endpoints-tab.tsx'))
const DeliveriesTab = lazy(() => import('./deliveries/deliveries-tab.tsx'))

const LogFailure = ({ onRetry }: { onRetry: () => void }) => (
  <ErrorState title="The delivery log could not be loaded" message="Check the connection." onRetry={onRetry} />
)
const EndpointsFailure = ({ onRetry }: { onRetry: () => void }) => (
  <ErrorState title="The endpoints could not be loaded" message="Check the connection." onRetry={onRetry} />
)
const loading = <p className="gutter py-3 text-13 text-quiet">Loading...</p>

const tabs = [
  { value: 'attempts' as const, label: 'KYC Attempts', panel: <Attempts /> },
  {
    value: 'deliveries' as const,
    label: 'Delivery Log',
    panel: (
      <LazyBoundary fallback={loading} failure={LogFailure}>
        <DeliveriesTab />
      </LazyBoundary>
    ),
  },
  {
    value: 'endpoints' as const,
    label: 'Endpoints',
    panel: (
      <LazyBoundary fallback={loading} failure={EndpointsFailure}>
        <EndpointsTab />
      </LazyBoundary>
    ),
  },
]

/** KYC Webhooks (product 5.11): the attempts to hand cases to the KYC provider; beside them every message, out and in. */
export default function WebhooksPage() {
  const [tab, choose] = useTab(webhooksTabs)
  return (
    // The log scrolls inside the window, the attempts scroll with the page.
    <div
      className={cn(
        tab === 'deliveries' &&
          'grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[minmax(24rem,1fr)] page-scrolls:block print:block',
      )}
    >
      <Tabs label="KYC webhooks" tabs={tabs} value={tab} onChange={choose} fill />
    </div>
  )
}

function Attempts() {
  return (
    <div className="gutter grid w-full max-w-table items-start gap-4 py-4 *:min-w-0 md:gap-5 md:py-5 min-[88rem]:grid-cols-[minmax(0,1fr)_20rem] min-[88rem]:grid-rows-[auto_auto_1fr]">
      {/* They count attempts alone, so they are hidden above the log of all messages. */}
      <div className="min-[88rem]:col-span-2">
        <Figures />
      </div>
      <PermissionGate permission="messages.send">
        <SubmitCard className="min-[88rem]:col-start-2" />
      </PermissionGate>
      <LogsCard className="min-[88rem]:col-start-1 min-[88rem]:row-span-2 min-[88rem]:row-start-2" />
      <FailuresCard className="min-[88rem]:col-start-2" />
    </div>
  )
}
