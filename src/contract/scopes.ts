import { listKeys } from './states.ts'

/** What a platform key may do: a part of the platform API, and what is done there (product 10.1); in words, for refusals and the API description. */
export const scopeLabels = {
  'members.read': 'Read members, their KYC and their wallets',
  'members.write': 'Create and change members',
  'members.erase': 'Erase what is stored of a member, for ever',
  'wallets.write': 'Add wallets to members',
  'documents.write': 'Upload identity pictures',
  'kyc.write': 'Send steps of KYC, and hand attempts in',
  'orders.read': 'Read orders',
  'orders.write': 'Create and change orders that wait for payment',
  'orders.complete': 'Complete paid orders',
  'transactions.write': "Bring movements on members' accounts, fractions and transfers",
  'tokens.write': 'Register and change tokens',
  'statements.write': 'Bring statement files of the bank',
  'imports.write': 'Send imports; each line needs the scope of its own call too',
  'events.read': 'Read events',
  'endpoints.test': 'Send test events to the endpoints',
  history: 'Import what was decided elsewhere, on KYC and on orders',
}
export const scopes = listKeys(scopeLabels)
export type Scope = (typeof scopes)[number]
/** A scope of a call. Only lines of an import need `history`. */
export type CallScope = Exclude<Scope, 'history'>

/** Scopes that have to be asked for by name: what they do cannot be undone. */
export const namedScopes: readonly Scope[] = ['members.erase', 'history']

/** The scopes of a key for which none are named, and of the key that is a setting. */
export const standardScopes: readonly Scope[] = scopes.filter((scope) => !namedScopes.includes(scope))

/** A key with `history` expires after this many days at most. */
export const maxHistoryDays = 7

export const isScope = (text: string): text is Scope => Object.hasOwn(scopeLabels, text)

const platformAccess = 'platform:'

/** The scope that a call of the platform API needs. Null for other calls. */
export function readScope(access: string | readonly string[]): CallScope | null {
  if (typeof access !== 'string' || !access.startsWith(platformAccess)) return null
  // The type of `access` in a route allows only scopes behind the prefix.
  return access.slice(platformAccess.length) as CallScope
}

/** The message of a call that is refused for its key's scopes. */
export const describeMissingScope = (scope: Scope): string =>
  `This needs the scope “${scopeLabels[scope]}” (${scope}), which the platform key does not have`
