import { sql } from 'drizzle-orm'
import { bigint, check, index, jsonb, pgSequence, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { severities } from '#contract/security.ts'
import { bytes, createdAt, identity, instant, oneOf, transactionId, version } from '#server/db/columns.ts'

type Details = Record<string, unknown>

/** Numbers the security events that leave the console, in the order in which they are committed. */
export const securityEventNumbers = pgSequence('security_event_numbers')

export const securityEvents = pgTable(
  'security_events',
  {
    id: identity(),
    severity: text('severity', { enum: severities }).notNull(),
    eventType: text('event_type').notNull(),
    description: text('description').notNull(),
    ipAddress: text('ip_address'),
    details: jsonb('details').$type<Details>().notNull().default({}),
    resolvedAt: instant('resolved_at'),
    resolvedBy: text('resolved_by'),
    resolutionNote: text('resolution_note'),
    createdAt: createdAt(),
    version: version(),
    /** Its place among what is sent out (067). Null: committed since the last numbering, or counted further since. */
    seq: bigint('seq', { mode: 'string' }),
  },
  (t) => [
    uniqueIndex('security_events_seq').on(t.seq),
    index('security_events_unnumbered')
      .on(t.id)
      .where(sql`seq IS NULL`),
    index('security_events_walk').on(t.createdAt, t.id),
    index('security_events_severity').on(t.severity, t.createdAt, t.id),
    index('security_events_open')
      .on(t.createdAt, t.id)
      .where(sql`resolved_at IS NULL`),
    /** Equal events. The hash, since a description may be longer than an entry of an index. */
    index('security_events_equal')
      .on(t.eventType, t.severity, sql`md5(${t.description})`, t.id)
      .where(sql`resolved_at IS NULL`),
    check('security_events_severity_known', oneOf(t.severity, severities)),
  ],
)

/** Who did what, when, from where, on what, before and after. Rows are only ever added; a trigger refuses the rest. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: identity(),
    createdAt: createdAt(),
    actorKind: text('actor_kind', { enum: ['admin', 'platform', 'system', 'command'] }).notNull(),
    actorId: text('actor_id'),
    actorName: text('actor_name').notNull(),
    action: text('action').notNull(),
    targetType: text('target_type'),
    targetId: text('target_id'),
    details: jsonb('details').$type<Details>().notNull(),
    ipAddress: text('ip_address'),
    requestId: text('request_id'),
    /** Rows of transactions that are over are sealed in this order, so that no row comes late. */
    xid: transactionId('xid')
      .notNull()
      .default(sql`pg_current_xact_id()`),
  },
  (t) => [
    index('audit_log_xid').on(t.xid, t.id),
    index('audit_log_walk').on(t.createdAt, t.id),
    /** The log as it is mostly asked for: what people and jobs did. */
    index('audit_log_operators')
      .on(t.createdAt, t.id)
      .where(sql`action <> 'platform_call'`),
    /** What one operator or key did. With the action, so that counting it reads no row of the table. */
    index('audit_log_actor').on(sql`lower(${t.actorName})`, t.createdAt, t.id, t.action),
    index('audit_log_action').on(t.action, t.createdAt, t.id),
    index('audit_log_target').on(t.targetType, t.targetId, t.id),
  ],
)

/**
 * Details of audit rows that are of a person: names, e-mails, what an operator wrote. They are deleted with the person;
 * the audit row keeps their digest, so that the chain holds without them (068).
 */
export const auditPersonal = pgTable(
  'audit_personal',
  {
    auditId: bigint('audit_id', { mode: 'string' }).primaryKey(),
    /** Null: of nobody in particular, such as the search of an export. */
    memberId: text('member_id'),
    /** They win over those of the audit row. */
    details: jsonb('details').$type<Details>().notNull(),
    /** Before the details in the digest, which tells nothing of them without it. */
    salt: bytes('salt').notNull(),
  },
  (t) => [index('audit_personal_member').on(t.memberId)],
)

/**
 * The chain over the audit log: each row holds the MAC of an audit row's content and of the MAC before it (063). It has no
 * foreign key, because a deleted audit row has to be found, not prevented from being found. Rows are only ever added.
 */
export const auditChain = pgTable('audit_chain', {
  /** From 1, without gaps. */
  seq: bigint('seq', { mode: 'string' }).primaryKey(),
  auditId: bigint('audit_id', { mode: 'string' }).notNull().unique('audit_chain_audit_id'),
  mac: bytes('mac').notNull(),
  keyId: text('key_id').notNull(),
  sealedAt: instant('sealed_at')
    .notNull()
    .default(sql`now()`),
})

/** Which keys have signed in this database. The keys themselves are outside of it. Rows are only ever added. */
export const auditKeys = pgTable('audit_keys', {
  keyId: text('key_id').primaryKey(),
  firstUsedAt: instant('first_used_at')
    .notNull()
    .default(sql`now()`),
})
