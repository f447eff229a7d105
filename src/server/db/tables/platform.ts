import { sql } from 'drizzle-orm'
import { check, cidr, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { maxHistoryDays, type Scope } from '#contract/scopes.ts'
import { bytes, createdAt, identity, instant } from '#server/db/columns.ts'

/** Keys of the platform API, made by command; the key itself is shown once and kept only as its SHA-256. */
export const platformKeys = pgTable(
  'platform_keys',
  {
    id: identity(),
    name: text('name').notNull(),
    keyHash: bytes('key_hash').notNull().unique('platform_keys_hash'),
    /** The key's last four characters, by which people tell keys apart. */
    hint: text('hint').notNull(),
    callsPerSecond: integer('calls_per_second').notNull(),
    scopes: text('scopes').array().$type<Scope>().notNull(),
    /** The networks that the key may be used from. Null: from anywhere. */
    allowedFrom: cidr('allowed_from').array(),
    createdAt: createdAt(),
    createdBy: text('created_by').notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    /** To the minute. */
    lastUsedAt: instant('last_used_at'),
    lastUsedFrom: text('last_used_from'),
  },
  (t) => [
    uniqueIndex('platform_keys_lower_name').on(sql`lower(${t.name})`),
    check('platform_keys_scopes', sql`cardinality(${t.scopes}) > 0`),
    check('platform_keys_networks', sql`cardinality(${t.allowedFrom}) > 0`),
    check(
      'platform_keys_history',
      sql.raw(`NOT 'history' = ANY(scopes)
        OR expires_at IS NOT NULL AND expires_at <= created_at + interval '${maxHistoryDays * 24} hours'`),
    ),
  ],
)

/** The answers of POST calls that came with an `Idempotency-Key`, so that asking again does nothing again. */
export const idempotentCalls = pgTable(
  'idempotent_calls',
  {
    actor: text('actor').notNull(),
    key: text('key').notNull(),
    /** Of method, path and body: the same key with another call is a mistake. */
    requestHash: bytes('request_hash').notNull(),
    reply: jsonb('reply').$type<unknown>(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.actor, t.key] }), index('idempotent_calls_age').on(t.createdAt)],
)

/** Imports that came with a batch id: how far each has got, in the same transaction as its lines. */
export const importBatches = pgTable(
  'import_batches',
  {
    actor: text('actor').notNull(),
    key: text('key').notNull(),
    settledLines: integer('settled_lines').notNull().default(0),
    /** SHA-256 of the settled lines, so that another file under the same id is told apart. */
    settledDigest: bytes('settled_digest').notNull(),
    result: jsonb('result').$type<unknown>().notNull(),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (t) => [primaryKey({ columns: [t.actor, t.key] })],
)
