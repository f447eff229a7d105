import { Link } from '@tanstack/react-router'
import { Ban, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { Order } from '#contract/orders.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { lazy, Lazily } from '#web/ui/lazily.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { StatusBadge } from './status-badge.tsx'
import { isOpen, memberName } from './words.ts'

const StatusDialog = lazy(() => import('./status-dialog.tsx'))

/** What this is, whose, and what can be done about it; the order's number is the page's h1. */
export function OrderHeader({ order, refresh }: { order: Order; refresh: () => Promise<boolean> }) {
  // The order as it was when the dialog opened: a change that comes in meanwhile is a conflict, not a surprise.
  const [deciding, setDeciding] = useState<{ order: Order; to: 'paid' | 'cancelled' } | null>(null)
  const close = () => setDeciding(null)
  return (
    <div className="mb-5 flex min-w-0 items-center gap-4 max-md:flex-wrap max-md:gap-3">
      <div className="min-w-0 flex-1 max-md:basis-full">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
          <p className="text-16 font-semibold">Investment Order Details</p>
          <StatusBadge status={order.status} />
        </div>
        <p className="mt-0.5 truncate text-13 text-quiet">
          Ordered by{' '}
          <Link
            {...paths.user(order.userId)}
            className="text-ink underline decoration-border-control underline-offset-3"
          >
            <bdi>{memberName(order)}</bdi>
          </Link>
          {order.userMembershipId && ` · ${order.userMembershipId}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <RefreshButton refresh={refresh} done="Order data is up to date." />
        {isOpen(order) && (
          <>
            <Button variant="danger" onClick={() => setDeciding({ order, to: 'cancelled' })}>
              <Ban aria-hidden />
              Cancel Order
            </Button>
            <Button variant="primary" onClick={() => setDeciding({ order, to: 'paid' })}>
              <CircleCheck aria-hidden />
              Mark Paid
            </Button>
          </>
        )}
      </div>
      <Lazily fallback={null} onFailure={close}>
        {deciding && <StatusDialog {...deciding} onClose={close} />}
      </Lazily>
    </div>
  )
}
