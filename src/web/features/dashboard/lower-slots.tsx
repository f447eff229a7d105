import type { Permission } from '#contract/permissions.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { usePermissions } from '#web/use-can.ts'

interface Slot {
  title: string
  permission: Permission | null
  /** Its place in the grid, and its least height, so that nothing moves when it comes. */
  className: string
}

/** The cards below the figures, in their order. */
export const slots = {
  rates: {
    title: 'KYC Approval Rates',
    permission: 'kyc.view',
    className: 'md:col-span-6 wide:col-span-4 min-h-100.5',
  },
  pipeline: { title: 'Order pipeline', permission: 'orders.view', className: 'wide:col-span-9 md:min-h-64' },
  actions: { title: 'Quick Actions', permission: null, className: 'md:col-span-6 wide:col-span-3' },
  transfers: {
    title: 'Deposits and withdrawals',
    permission: 'transactions.view',
    className: 'wide:col-span-8 md:min-h-97',
  },
  health: { title: 'Chain and messages', permission: null, className: 'md:col-span-6 wide:col-span-4' },
  users: { title: 'Recent Users', permission: 'members.view', className: 'md:col-span-6 wide:col-span-5 min-h-67' },
  transactions: {
    title: 'Recent Transactions',
    permission: 'transactions.view',
    className: 'md:col-span-6 wide:col-span-7 min-h-67',
  },
} as const satisfies Record<string, Slot>

/** The slots that the admin may view. */
function useSlots(): Slot[] {
  const granted = usePermissions()
  return Object.values(slots).filter(({ permission }: Slot) => permission === null || granted.has(permission))
}

export const LowerCardsPlaceholder = () =>
  useSlots().map(({ title, className }) => (
    <Panel key={title} title={title} className={className}>
      <span className="sr-only">Loading...</span>
    </Panel>
  ))

/** Says that the code of a part could not be fetched. */
const PartFailure = ({ title, onRetry }: { title: string; onRetry: () => void }) => (
  <section aria-label={title} data-needs="known" className="rounded-l border bg-card">
    <ErrorState title={title} onRetry={onRetry} />
  </section>
)
export const NeedsFailure = ({ onRetry }: { onRetry: () => void }) => (
  <PartFailure title="What needs you could not be loaded" onRetry={onRetry} />
)
export const LowerCardsFailure = ({ onRetry }: { onRetry: () => void }) => (
  <PartFailure title="The rest of the dashboard could not be loaded" onRetry={onRetry} />
)
