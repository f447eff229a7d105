import type { Role } from './permissions.ts'

/** What an operator read of members, as its trace names it. */
export const readKinds = [
  'member',
  'members',
  'kyc_case',
  'kyc_lists',
  'order',
  'orders',
  'transactions',
  'search',
  'export',
  'approvals',
  'bank_lines',
  'bank_line',
  'payments',
  'payers',
  'audit_log',
] as const
export type ReadKind = (typeof readKinds)[number]

/** How many different members or payers one operator may read in this time, on one server (product 6.9). `ahead`: sent before they are opened. */
export const readLimits = { minutes: 5, opened: 500, ahead: 2000, listed: 5000 }

/**
 * How many rows with data of members an operator of each role may export in 24 hours, and how many different members or
 * payers read besides, on all servers. Null: any number.
 */
export const exportLimits: Record<Role, number | null> = {
  viewer: 10_000,
  reviewer: 10_000,
  finance: 100_000,
  super_admin: null,
}
export const exportLimitHours = 24

/** From this share of the limit on reading is a security event. */
export const readEventShare = 0.5
/** What that share is of where the role has no limit. */
export const unlimitedReads = 100_000
