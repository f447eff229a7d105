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
] as const
export type ReadKind = (typeof readKinds)[number]

/** How many different members one operator may read in this time, on one server (product 6.9). */
export const readLimits = { minutes: 5, opened: 500, listed: 5000 }
