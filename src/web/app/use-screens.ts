import { useQuery } from '@tanstack/react-query'
import {
  ArrowLeftRight,
  Coins,
  LayoutDashboard,
  Receipt,
  Scale,
  ShieldAlert,
  ShieldCheck,
  CheckCheck,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react'
import { paths } from '#web/paths.ts'
import { findScreenPermissions } from '#web/screen-permissions.ts'
import { accountQuery, usePermissions } from '#web/use-can.ts'

/** The sidebar's entries in order (product 3.1); a group of them has no space within it. */
const screens = [
  { label: 'Dashboard', icon: LayoutDashboard, link: paths.dashboard(), group: 0 },
  { label: 'User Management', icon: Users, link: paths.members(), group: 1 },
  { label: 'Orders', icon: Receipt, link: paths.orders(), group: 1 },
  { label: 'Reconciliation', icon: Scale, link: paths.bank(), group: 1 },
  { label: 'Token Management', icon: Coins, link: paths.tokens(), group: 2 },
  { label: 'Transactions', icon: ArrowLeftRight, link: paths.transactions(), group: 2 },
  { label: 'KYC Reviews', icon: ShieldCheck, link: paths.kyc(), group: 3 },
  { label: 'KYC Webhooks', icon: Webhook, link: paths.kycWebhooks(), group: 3 },
  { label: 'Security Logs', icon: ShieldAlert, link: paths.security(), group: 4 },
  { label: 'Approvals', icon: CheckCheck, link: paths.approvals(), group: 4 },
  { label: 'Operators', icon: UserCog, link: paths.operators(), group: 4 },
] as const

/** The screens that the signed-in admin may view, in the sidebar's order. Only among several operators somebody can approve. */
export function useScreens() {
  const granted = usePermissions()
  const hasOthers = useQuery({ ...accountQuery, enabled: false }).data?.hasOtherOperators ?? false
  return screens.filter(({ link }) => {
    const required = findScreenPermissions(link.to)
    const isGranted = required === null || required.some((permission) => granted.has(permission))
    return isGranted && (link.to !== '/approvals' || hasOthers)
  })
}
