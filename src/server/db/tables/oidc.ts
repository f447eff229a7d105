import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, createdAt, identity, instant, oneOf } from '#server/db/columns.ts'
import { adminId, admins, sessions } from './auth.ts'

/** Who signs in as an operator by the provider. Of the provider's claims only issuer and subject are kept. */
export const operatorIdentities = pgTable(
  'operator_identities',
  {
    /** As the setting names it. */
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    adminId: adminId(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.issuer, t.subject] }),
    // One a provider, so that an operator's groups decide one role.
    uniqueIndex('operator_identities_admin').on(t.adminId, t.issuer),
  ],
)

export const oidcPurposes = ['sign_in', 'step_up', 'invitation', 'link'] as const
export type OidcPurpose = (typeof oidcPurposes)[number]

/**
 * What has begun at the provider and waits for the browser's return. Each is used once. The browser's cookie is kept as
 * its SHA-256 alone; nonce and code verifier are derived from it, so the database alone redeems no code.
 */
export const oidcFlows = pgTable(
  'oidc_flows',
  {
    id: identity(),
    stateHash: bytes('state_hash').notNull(),
    browserHash: bytes('browser_hash').notNull(),
    issuer: text('issuer').notNull(),
    purpose: text('purpose', { enum: oidcPurposes }).notNull(),
    /** Who confirms or links an own account, and in which session. */
    adminId: bigint('admin_id', { mode: 'string' }).references(() => admins.id, { onDelete: 'cascade' }),
    sessionId: bigint('session_id', { mode: 'string' }).references(() => sessions.id, { onDelete: 'cascade' }),
    /** The invitation that is accepted. */
    invitationHash: bytes('invitation_hash'),
    /** A path of the console; null where the return closes a window. */
    returnTo: text('return_to'),
    /** The session and the device cookie of the browser, which it sends on no return from another site. */
    presentedHash: bytes('presented_hash'),
    deviceHash: bytes('device_hash'),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [
    uniqueIndex('oidc_flows_state').on(t.stateHash),
    index('oidc_flows_admin').on(t.adminId),
    index('oidc_flows_session').on(t.sessionId),
    index('oidc_flows_end').on(t.expiresAt),
    check('oidc_flows_purpose_known', oneOf(t.purpose, oidcPurposes)),
    check(
      'oidc_flows_whole',
      sql`num_nonnulls(${t.adminId}, ${t.sessionId}) = CASE WHEN ${t.purpose} IN ('step_up', 'link') THEN 2 ELSE 0 END
        AND (${t.invitationHash} IS NOT NULL) = (${t.purpose} = 'invitation')`,
    ),
  ],
)
