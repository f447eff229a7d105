import { bankRoutes } from './bank.ts'
import type { Routes } from './route.ts'
import type { platformSchemas } from './schemas/platform-api.ts'

/** The base path of the platform API. */
export const platformBase = '/api/platform/v1'

/** The number of wallets in the member's own reply, oldest first. */
export const mostWalletsShown = 100

/** The calls of an investment platform (product 10.2). Every PUT is an idempotent upsert by the platform's own ids. */
export const platformRoutes: Routes<typeof platformSchemas> = {
  saveMember: { method: 'PUT', path: `${platformBase}/members/:id`, access: 'platform:members.write', versioned: true },
  member: { method: 'GET', path: `${platformBase}/members/:id`, access: 'platform:members.read' },
  eraseMember: { method: 'DELETE', path: `${platformBase}/members/:id`, access: 'platform:members.erase' },
  members: { method: 'GET', path: `${platformBase}/members`, access: 'platform:members.read', compressed: true },
  memberWallets: {
    method: 'GET',
    path: `${platformBase}/members/:id/wallets`,
    access: 'platform:members.read',
    compressed: true,
  },
  saveWallet: { method: 'PUT', path: `${platformBase}/members/:id/wallets/:address`, access: 'platform:wallets.write' },
  saveDocument: {
    method: 'PUT',
    path: `${platformBase}/members/:id/documents/:kind`,
    consumes: ['image/jpeg', 'image/png', 'image/webp'],
    access: 'platform:documents.write',
  },
  saveKyc: { method: 'PUT', path: `${platformBase}/members/:id/kyc/:attempt`, access: 'platform:kyc.write' },
  saveOrder: {
    method: 'PUT',
    path: `${platformBase}/orders/:orderNumber`,
    access: 'platform:orders.write',
    versioned: true,
  },
  order: { method: 'GET', path: `${platformBase}/orders/:orderNumber`, access: 'platform:orders.read' },
  orders: { method: 'GET', path: `${platformBase}/orders`, access: 'platform:orders.read', compressed: true },
  events: { method: 'GET', path: `${platformBase}/events`, access: 'platform:events.read', compressed: true },
  testEvents: { method: 'POST', path: `${platformBase}/test-events`, access: 'platform:endpoints.test' },
  completeOrder: {
    method: 'POST',
    path: `${platformBase}/orders/:orderNumber/complete`,
    access: 'platform:orders.complete',
  },
  saveTransaction: {
    method: 'PUT',
    path: `${platformBase}/members/:id/transactions/:transactionId`,
    access: 'platform:transactions.write',
  },
  saveFraction: {
    method: 'PUT',
    path: `${platformBase}/members/:id/fractions/:fractionId`,
    access: 'platform:transactions.write',
  },
  saveToken: {
    method: 'PUT',
    path: `${platformBase}/tokens/:kind/:contractAddress`,
    access: 'platform:tokens.write',
    versioned: true,
  },
  import: {
    method: 'POST',
    path: `${platformBase}/import`,
    consumes: ['application/x-ndjson'],
    access: 'platform:imports.write',
  },
  bankStatements: {
    method: 'POST',
    path: `${platformBase}/bank-statements`,
    consumes: bankRoutes.import.consumes ?? [],
    access: 'platform:statements.write',
  },
  kycResults: {
    method: 'POST',
    path: `${platformBase}/kyc-results`,
    consumes: ['application/json'],
    access: 'provider',
  },
}
