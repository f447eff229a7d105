import type { UserDetail } from '#contract/schemas/users.ts'
import type { UserTab } from '#web/paths.ts'
import type { Tab } from '#web/ui/tabs.tsx'
import { FractionsTab } from './fractions-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { KycTab } from './kyc-tab.tsx'
import { ProfileTab } from './profile-tab.tsx'
import { TransactionsTab } from './transactions-tab.tsx'
import { WalletsTab } from './wallets-tab.tsx'

/** The tabs of a member; Transactions and Fractions only where there are some (product 5.4). */
export function listTabs(detail: UserDetail): Tab<UserTab>[] {
  const { userWallets, userTransactions, blockchainTransactions, userFractions } = detail.totals
  const tabs: (Tab<UserTab> | false)[] = [
    { value: 'profile', label: 'Profile', panel: <ProfileTab detail={detail} /> },
    { value: 'kyc', label: 'KYC Details', panel: <KycTab detail={detail} /> },
    { value: 'wallets', label: 'Wallets', count: userWallets, panel: <WalletsTab detail={detail} /> },
    blockchainTransactions > 0 && {
      value: 'transactions',
      label: 'Transactions',
      count: userTransactions + blockchainTransactions,
      panel: <TransactionsTab detail={detail} />,
    },
    userFractions > 0 && {
      value: 'fractions',
      label: 'Fractions',
      count: userFractions,
      panel: <FractionsTab detail={detail} />,
    },
    { value: 'history', label: 'KYC History', panel: <HistoryTab detail={detail} /> },
  ]
  return tabs.filter((tab) => tab !== false)
}
