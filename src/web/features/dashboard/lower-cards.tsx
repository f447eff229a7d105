import { PermissionGate } from '#web/permission-gate.tsx'
import { Health } from './health.tsx'
import { KycRates } from './kyc-rates.tsx'
import { slots } from './lower-slots.tsx'
import { OrderPipeline } from './order-pipeline.tsx'
import { QuickActions } from './quick-actions.tsx'
import { RecentTransactions } from './recent-transactions.tsx'
import { RecentUsers } from './recent-users.tsx'
import { Transfers } from './transfers.tsx'

/** The cards below the figures. */
export default function LowerCards() {
  return (
    <>
      <PermissionGate permission="kyc.view">
        <KycRates {...slots.rates} />
      </PermissionGate>
      <PermissionGate permission="orders.view">
        <OrderPipeline {...slots.pipeline} />
      </PermissionGate>
      <QuickActions {...slots.actions} />
      <PermissionGate permission="transactions.view">
        <Transfers {...slots.transfers} />
      </PermissionGate>
      <Health {...slots.health} />
      <PermissionGate permission="members.view">
        <RecentUsers {...slots.users} />
      </PermissionGate>
      <PermissionGate permission="transactions.view">
        <RecentTransactions {...slots.transactions} />
      </PermissionGate>
    </>
  )
}
