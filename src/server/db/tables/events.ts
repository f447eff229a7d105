import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf } from '#server/db/columns.ts'
import { deliveryStates } from './webhooks.ts'

/**
 * What the platform must hear of, written with the change itself and delivered in order of `id` per entity. `waiting`: due
 * at `nextTryAt`, once nothing earlier of its entity is waiting or under way. `failed`: given up after the last try, kept,
 * and sent again when an operator says so.
 */
export const outbox = pgTable(
  'outbox',
  {
    id: identity(),
    /** The message's id over all its tries. */
    eventId: uuid('event_id')
      .notNull()
      .unique('outbox_event_id')
      .default(sql`gen_random_uuid()`),
    type: text('type').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
    deliveredAt: instant('delivered_at'),
    state: text('state', { enum: deliveryStates }).notNull().default('waiting'),
    /** Tries of the present sending. */
    tries: integer('tries').notNull().default(0),
    nextTryAt: instant('next_try_at').default(sql`now()`),
    leaseUntil: instant('lease_until'),
  },
  (t) => [
    index('outbox_entity').on(t.entityType, t.entityId, t.id),
    /** What stands before an event of its entity. */
    index('outbox_open')
      .on(t.entityType, t.entityId, t.id)
      .where(sql`state IN ('waiting', 'sending')`),
    index('outbox_due')
      .on(t.nextTryAt, t.id)
      .where(sql`state = 'waiting'`),
    index('outbox_sending')
      .on(t.leaseUntil)
      .where(sql`state = 'sending'`),
    index('outbox_walk').on(t.createdAt, sql`(id * 4 + 1)`),
    index('outbox_state').on(t.state, t.createdAt, sql`(id * 4 + 1)`),
    check('outbox_state_known', oneOf(t.state, deliveryStates)),
  ],
)

/** One row a try to deliver an event. */
export const eventAttempts = pgTable(
  'event_attempts',
  {
    id: identity(),
    outboxId: bigint('outbox_id', { mode: 'string' })
      .notNull()
      .references(() => outbox.id, { onDelete: 'cascade' }),
    tryNumber: integer('try_number').notNull(),
    success: boolean('success').notNull(),
    errorMessage: text('error_message'),
    httpStatus: integer('http_status'),
    latencyMs: integer('latency_ms'),
    responseExcerpt: text('response_excerpt'),
    /** An operator's name, or that the queue tried by itself. */
    startedBy: text('started_by').notNull().default('queue'),
    createdAt: createdAt(),
  },
  (t) => [index('event_attempts_event').on(t.outboxId, t.id)],
)
