import { bankRoutes } from './bank.ts'
import type { Routes } from './route.ts'
import type { platformSchemas } from './schemas/platform-api.ts'

/** The base path of the platform API. */
export const platformBase = '/api/platform/v1'
const access = 'platform'

/** The number of wallets in the member's own reply, oldest first. */
export const mostWalletsShown = 100

/** The calls of an investment platform (product 10.2). Every PUT is an idempotent upsert by the platform's own ids. */
export const platformRoutes: Routes<typeof platformSchemas> = {
  saveMember: {
    method: 'PUT',
    path: `${platformBase}/members/:id`,
    access,
    versioned: true,
  },
  member: {
    method: 'GET',
    path: `${platformBase}/members/:id`,
    access,
  },
  members: {
    method: 'GET',
    path: `${platformBase}/members`,
    access,
  },
  memberWallets: {
    method: 'GET',
    path: `${platformBase}/members/:id/wallets`,
    access,
  },
  saveWallet: {
    method: 'PUT',
    path: `${platformBase}/members/:id/wallets/:address`,
    access,
  },
  saveDocument: {
    method: 'PUT',
    path: `${platformBase}/members/:id/documents/:kind`,
    consumes: ['image/jpeg', 'image/png', 'image/webp'],
    access,
  },
  saveKyc: {
    method: 'PUT',
    path: `${platformBase}/members/:id/kyc/:attempt`,
    access,
  },
  saveOrder: {
    method: 'PUT',
    path: `${platformBase}/orders/:orderNumber`,
    access,
    versioned: true,
  },
  order: {
    method: 'GET',
    path: `${platformBase}/orders/:orderNumber`,
    access,
  },
  orders: {
    method: 'GET',
    path: `${platformBase}/orders`,
    access,
  },
  events: {
    method: 'GET',
    path: `${platformBase}/events`,
    access,
  },
  testEvents: {
    method: 'POST',
    path: `${platformBase}/test-events`,
    access,
  },
  completeOrder: {
    method: 'POST',
    path: `${platformBase}/orders/:orderNumber/complete`,
    access,
  },
  saveTransaction: {
    method: 'PUT',
    path: `${platformBase}/members/:id/transactions/:transactionId`,
    access,
  },
  saveFraction: {
    method: 'PUT',
    path: `${platformBase}/members/:id/fractions/:fractionId`,
    access,
  },
  saveToken: {
    method: 'PUT',
    path: `${platformBase}/tokens/:kind/:contractAddress`,
    access,
    versioned: true,
  },
  import: {
    method: 'POST',
    path: `${platformBase}/import`,
    consumes: ['application/x-ndjson'],
    access,
  },
  bankStatements: {
    method: 'POST',
    path: `${platformBase}/bank-statements`,
    consumes: bankRoutes.import.consumes ?? [],
    access,
  },
  kycResults: {
    method: 'POST',
    path: `${platformBase}/kyc-results`,
    consumes: ['application/json'],
    access: 'provider',
  },
}
