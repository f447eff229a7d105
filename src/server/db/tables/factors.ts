import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { factorKinds } from '#contract/factors.ts'
import { bytes, createdAt, identity, instant, oneOf } from '#server/db/columns.ts'
import { adminId, sessions } from './auth.ts'

/** Second factors: passkeys with their public key, and authenticator apps with their encrypted seed. */
export const adminFactors = pgTable(
  'admin_factors',
  {
    id: identity(),
    adminId: adminId(),
    kind: text('kind', { enum: factorKinds }).notNull(),
    name: text('name').notNull(),
    /** base64url, as browsers send it. */
    credentialId: text('credential_id'),
    /** COSE. */
    publicKey: bytes('public_key'),
    /** As the authenticator counts its uses; 0 where it does not. */
    counter: bigint('counter', { mode: 'number' }),
    transports: text('transports').array(),
    /** Encrypted with the key named `key_id`, which is not in the database. */
    secretEnc: bytes('secret_enc'),
    keyId: text('key_id'),
    /** The 30 seconds whose code was used last. No code of these or earlier ones counts again. */
    lastStep: bigint('last_step', { mode: 'number' }),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    index('admin_factors_admin').on(t.adminId, t.id),
    uniqueIndex('admin_factors_credential').on(t.credentialId),
    check('admin_factors_kind_known', oneOf(t.kind, factorKinds)),
    check(
      'admin_factors_whole',
      sql`CASE ${t.kind}
        WHEN 'passkey' THEN num_nonnulls(${t.credentialId}, ${t.publicKey}, ${t.counter}, ${t.transports}) = 4
          AND num_nonnulls(${t.secretEnc}, ${t.keyId}, ${t.lastStep}) = 0
        ELSE num_nonnulls(${t.secretEnc}, ${t.keyId}, ${t.lastStep}) = 3
          AND num_nonnulls(${t.credentialId}, ${t.publicKey}, ${t.counter}, ${t.transports}) = 0 END`,
    ),
  ],
)

/** Codes that stand in for a lost factor, each once. Only the SHA-256 of their 120 random bits is kept. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: identity(),
    adminId: adminId(),
    hash: bytes('hash').notNull(),
    createdAt: createdAt(),
    usedAt: instant('used_at'),
  },
  (t) => [uniqueIndex('recovery_codes_hash').on(t.adminId, t.hash)],
)

export const challengePurposes = [
  'sign_in',
  'oidc_sign_in',
  'passkey_sign_in',
  'passkey_step_up',
  'passkey_setup',
  'totp_setup',
] as const
export type ChallengePurpose = (typeof challengePurposes)[number]

/**
 * What was begun and waits for its answer: a sign-in for its second factor, a challenge for its passkey, the seed of an
 * authenticator app for its first code. Each is answered once. Only the SHA-256 of its value is kept.
 */
export const authChallenges = pgTable(
  'auth_challenges',
  {
    id: identity(),
    hash: bytes('hash').notNull(),
    purpose: text('purpose', { enum: challengePurposes }).notNull(),
    adminId: adminId(),
    /** The session that began it; null before there is one. */
    sessionId: bigint('session_id', { mode: 'string' }).references(() => sessions.id, { onDelete: 'cascade' }),
    /** The seed of `totp_setup`, encrypted as in `admin_factors`. */
    secretEnc: bytes('secret_enc'),
    keyId: text('key_id'),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [
    uniqueIndex('auth_challenges_hash').on(t.hash),
    index('auth_challenges_admin').on(t.adminId, t.purpose, t.id),
    index('auth_challenges_session').on(t.sessionId),
    index('auth_challenges_end').on(t.expiresAt),
    check('auth_challenges_purpose_known', oneOf(t.purpose, challengePurposes)),
  ],
)
