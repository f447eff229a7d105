import type { Routes } from './route.ts'
import type { walletSchemas } from './schemas/wallets.ts'

export const walletRoutes: Routes<typeof walletSchemas> = {
  balance: {
    method: 'GET',
    path: '/api/wallet-balance/:walletAddress',
    access: 'members.view',
    // The chain's nodes have a deadline of their own, which a setting can raise.
    timeoutSeconds: 60,
  },
}
