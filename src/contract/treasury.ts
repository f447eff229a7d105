import type { Routes } from './route.ts'
import type { treasurySchemas } from './schemas/treasury.ts'

/** Own wallets that can be labelled. */
export const mostTreasuryWallets = 100
export const longestWalletLabel = 60

/** Why a token's holdings are not known. */
export const holdingsProblems = {
  no_contract: 'No contract answers at this address',
  call_failed: 'The contract refuses the call',
} as const

export const treasuryTexts = {
  added: 'Own wallet added',
  saved: 'Own wallet saved',
  removed: 'Own wallet removed',
} as const

const manage = 'treasury.manage'

export const treasuryRoutes: Routes<typeof treasurySchemas> = {
  read: { method: 'GET', path: '/api/chain/treasury', access: 'transactions.view' },
  refresh: {
    method: 'POST',
    path: '/api/chain/treasury/readings',
    access: 'transactions.view',
    repeatable: true,
    // All wallets are read, from nodes with time limits of their own.
    timeoutSeconds: 60,
  },
  addWallet: { method: 'POST', path: '/api/chain/treasury/wallets', access: manage },
  updateWallet: { method: 'PATCH', path: '/api/chain/treasury/wallets/:id', access: manage, versioned: true },
  removeWallet: { method: 'DELETE', path: '/api/chain/treasury/wallets/:id', access: manage, versioned: true },
}
