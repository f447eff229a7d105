import {
  Landmark,
  ListChecks,
  type LucideIcon,
  Receipt,
  Scale,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  Upload,
  UserCheck,
  Users,
  WalletCards,
  Webhook,
} from 'lucide-react'
import type { Permission } from '#contract/permissions.ts'
import { paths } from '#web/paths.ts'

interface SearchPlace {
  label: string
  icon: LucideIcon
  link: ReturnType<(typeof paths)[keyof typeof paths]>
  words: string
  /** Null for what every admin may view. */
  needs: Permission | null
}

/** The parts of screens, and where what is done to rows is done. */
export const places: readonly SearchPlace[] = [
  {
    label: 'Approval Rules',
    icon: UserCheck,
    link: paths.approvals({ tab: 'rules' }),
    words: 'policy four eyes',
    needs: 'approvals.rules',
  },
  {
    label: 'Mark Paid or Cancel Orders',
    icon: Receipt,
    link: paths.orders({ status: 'waiting_payment' }),
    words: 'waiting payment',
    needs: 'orders.decide',
  },
  {
    label: 'Import Statement',
    icon: Upload,
    link: paths.bank(),
    words: 'bank file camt mt940 csv',
    needs: 'bank.import',
  },
  {
    label: 'Reconciliation Policy',
    icon: SlidersHorizontal,
    link: paths.bank(),
    words: 'apply exact together',
    needs: 'bank.policy',
  },
  {
    label: 'Bank Lines',
    icon: Scale,
    link: paths.bank({ tab: 'lines' }),
    words: 'payments refunds due',
    needs: 'bank.view',
  },
  {
    label: 'Bank Statements',
    icon: Scale,
    link: paths.bank({ tab: 'statements' }),
    words: 'gaps balances',
    needs: 'bank.view',
  },
  { label: 'Bank Imports', icon: Scale, link: paths.bank({ tab: 'imports' }), words: 'files undo', needs: 'bank.view' },
  {
    label: 'Platform Transactions',
    icon: WalletCards,
    link: paths.transactions({ tab: 'platform' }),
    words: 'deposits withdrawals',
    needs: 'transactions.view',
  },
  {
    label: 'Treasury',
    icon: Landmark,
    link: paths.transactions({ tab: 'treasury' }),
    words: 'balances own wallets',
    needs: 'transactions.view',
  },
  {
    label: 'Delivery Log',
    icon: Webhook,
    link: paths.kycWebhooks({ tab: 'deliveries' }),
    words: 'messages events resend webhooks',
    needs: 'messages.view',
  },
  {
    label: 'Endpoints',
    icon: Webhook,
    link: paths.kycWebhooks({ tab: 'endpoints' }),
    words: 'webhooks secrets events',
    needs: 'messages.view',
  },
  {
    label: 'Admin Actions',
    icon: ScrollText,
    link: paths.security({ tab: 'actions' }),
    words: 'audit log who did what',
    needs: 'audit.view',
  },
  {
    label: 'Verify the Audit Log',
    icon: ShieldCheck,
    link: paths.security(),
    words: 'verify now integrity seal',
    needs: 'security.resolve',
  },
  { label: 'Ban or Unban Users', icon: Users, link: paths.members(), words: 'members', needs: 'members.ban' },
  { label: 'Bulk Jobs', icon: ListChecks, link: paths.bulk(), words: 'many rows progress', needs: null },
]
