import type { Permission } from '#contract/permissions.ts'
import { useCanAny } from './use-can.ts'

/** The permissions to view a screen, by the first part of its address. One of them is enough. */
const permissionsByPlace: Partial<Record<string, readonly [Permission, ...Permission[]]>> = {
  '': ['dashboard.view'],
  users: ['members.view'],
  orders: ['orders.view'],
  reconciliation: ['bank.view'],
  tokens: ['tokens.view'],
  transactions: ['transactions.view'],
  kyc: ['kyc.view'],
  'kyc-webhooks': ['messages.view'],
  security: ['security.view', 'audit.view'],
  operators: ['operators.manage'],
}

/** The permissions of an address of the console, of which one is enough. Null for what every admin may view. */
export const findScreenPermissions = (address: string) =>
  permissionsByPlace[/^\/([^/?#]*)/.exec(address)?.[1] ?? ''] ?? null

/** Whether the signed-in admin may view the screen of an address. */
export function useCanView(address: string): boolean {
  const required = findScreenPermissions(address)
  const isGranted = useCanAny(required ?? [])
  return required === null || isGranted
}
