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

/** The sidebar's entries in order (product 3.1). */
export const screens = [
  { label: 'Dashboard', icon: LayoutDashboard, link: paths.dashboard() },
  { label: 'User Management', icon: Users, link: paths.users() },
  { label: 'Orders', icon: Receipt, link: paths.orders() },
  { label: 'Reconciliation', icon: Scale, link: paths.reconciliation() },
  { label: 'Token Management', icon: Coins, link: paths.tokens() },
  { label: 'Transactions', icon: ArrowLeftRight, link: paths.transactions() },
  { label: 'KYC Reviews', icon: ShieldCheck, link: paths.kyc() },
  { label: 'KYC Webhooks', icon: Webhook, link: paths.kycWebhooks() },
  { label: 'Security Logs', icon: ShieldAlert, link: paths.security() },
  { label: 'Operators', icon: UserCog, link: paths.operators() },
] as const
