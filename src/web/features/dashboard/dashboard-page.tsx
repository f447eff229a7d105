import { PermissionGate } from '#web/permission-gate.tsx'
import { KeyFigures } from './key-figures.tsx'
import { KycRates } from './kyc-rates.tsx'
import { QuickActions } from './quick-actions.tsx'
import { RecentTransactions } from './recent-transactions.tsx'
import { RecentUsers } from './recent-users.tsx'
import { UserRegistrations } from './user-registrations.tsx'

/** Product 5.1, Dashboard. Each card asks for its own data, and fails alone. A role sees the cards of what it may view. */
export default function DashboardPage() {
  return (
    <div className="gutter grid w-full max-w-table grid-cols-1 gap-4 py-4 md:grid-cols-12 md:gap-5 md:py-6 md:*:col-span-12">
      <KeyFigures />
      <UserRegistrations className="wide:col-span-8" />
      <PermissionGate permission="kyc.view">
        <KycRates className="md:col-span-6 wide:col-span-4" />
      </PermissionGate>
      <PermissionGate permission="members.view">
        <RecentUsers className="md:col-span-6 wide:col-span-4" />
      </PermissionGate>
      <PermissionGate permission="transactions.view">
        <RecentTransactions className="md:col-span-6 wide:col-span-5" />
      </PermissionGate>
      <QuickActions className="md:col-span-6 wide:col-span-3" />
    </div>
  )
}
