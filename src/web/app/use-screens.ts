import {
  ArrowLeftRight,
  Coins,
  LayoutDashboard,
  Receipt,
  Scale,
  ShieldAlert,
  ShieldCheck,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react'
import { paths } from '#web/paths.ts'
import { findScreenPermissions } from '#web/screen-permissions.ts'
import { usePermissions } from '#web/use-can.ts'

/** The sidebar's entries in order (product 3.1). */
const screens = [
  { label: 'Dashboard', icon: LayoutDashboard, link: paths.dashboard() },
  { label: 'User Management', icon: Users, link: paths.members() },
  { label: 'Orders', icon: Receipt, link: paths.orders() },
  { label: 'Reconciliation', icon: Scale, link: paths.bank() },
  { label: 'Token Management', icon: Coins, link: paths.tokens() },
  { label: 'Transactions', icon: ArrowLeftRight, link: paths.transactions() },
  { label: 'KYC Reviews', icon: ShieldCheck, link: paths.kyc() },
  { label: 'KYC Webhooks', icon: Webhook, link: paths.kycWebhooks() },
  { label: 'Security Logs', icon: ShieldAlert, link: paths.security() },
  { label: 'Operators', icon: UserCog, link: paths.operators() },
] as const

/** The screens that the signed-in admin may view, in the sidebar's order. */
export function useScreens() {
  const granted = usePermissions()
  return screens.filter(({ link }) => {
    const required = findScreenPermissions(link.to)
    return required === null || required.some((permission) => granted.has(permission))
  })
}
