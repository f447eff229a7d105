import { useNavigate, useSearch } from '@tanstack/react-router'
import { cn } from '#web/lib/cn.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { FailuresCard } from './failures-card.tsx'
import { Figures } from './figures.tsx'
import { LogsCard } from './logs-card.tsx'
import { SubmitCard } from './submit-card.tsx'

const DeliveriesTab = lazy(() => import('./deliveries/deliveries-tab.tsx'))

const NotLoaded = ({ onRetry }: { onRetry: () => void }) => (
  <ErrorState title="The delivery log could not be loaded" message="Check the connection." onRetry={onRetry} />
)

const tabs = [
  { value: 'attempts' as const, label: 'KYC Attempts', panel: <Attempts /> },
  {
    value: 'deliveries' as const,
    label: 'Delivery Log',
    panel: (
      <Lazily
        fallback={<p className="gutter mx-auto max-w-content py-3 text-13 text-quiet">Loading...</p>}
        failed={NotLoaded}
      >
        <DeliveriesTab />
      </Lazily>
    ),
  },
]

/** KYC Webhooks (SPEC section 2): the attempts to hand cases to the KYC provider; beside them every message, out and in. */
export function WebhooksPage() {
  const navigate = useNavigate()
  const { tab }: { tab?: unknown } = useSearch({ strict: false })
  const value = tab === 'deliveries' ? tab : 'attempts'
  // A tab's filters and page mean nothing in the other one.
  const choose = (chosen: typeof value) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({
        ...now,
        tab: chosen === 'attempts' ? undefined : chosen,
        ...Object.fromEntries(['unreached', 'search', 'status', 'kind', 'page'].map((name) => [name, undefined])),
      }),
    })
  return (
    // The log scrolls within the window, the attempts with the page.
    <div
      className={cn(
        value === 'deliveries' && 'grid h-full grid-rows-[minmax(24rem,1fr)] max-md:grid-rows-[minmax(50rem,1fr)]',
      )}
    >
      <Tabs
        label="KYC webhooks"
        tabs={tabs}
        value={value}
        onChange={choose}
        className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)] pt-2 [&>[role=tablist]]:mx-auto [&>[role=tablist]]:mb-0 [&>[role=tablist]]:w-full [&>[role=tablist]]:max-w-content [&>[role=tablist]]:px-(--gutter) [&>[role=tabpanel]]:min-h-0"
      />
    </div>
  )
}

function Attempts() {
  return (
    <div className="gutter mx-auto grid w-full max-w-content items-start gap-4 py-4 *:min-w-0 md:gap-5 md:py-5 min-[88rem]:grid-cols-[minmax(0,1fr)_20rem] min-[88rem]:grid-rows-[auto_auto_1fr]">
      {/* They count attempts alone, so they would mislead above the log of all messages. */}
      <div className="min-[88rem]:col-span-2">
        <Figures />
      </div>
      <SubmitCard className="min-[88rem]:col-start-2" />
      <LogsCard className="min-[88rem]:col-start-1 min-[88rem]:row-span-2 min-[88rem]:row-start-2" />
      <FailuresCard className="min-[88rem]:col-start-2" />
    </div>
  )
}
