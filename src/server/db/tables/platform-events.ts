import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { changedIn, createdAt, identity, instant, version } from '#server/db/columns.ts'

/** The endpoint of PLATFORM_WEBHOOK_URL: its address and secrets are settings. A migration adds its row. */
export const settingsEndpoint = '1'

/** Where events go. One that is deleted keeps its row, which the log of its messages names. */
export const platformEndpoints = pgTable(
  'platform_endpoints',
  {
    id: identity(),
    name: text('name').notNull(),
    /** Null for the endpoint of the settings, and once it is deleted. */
    url: text('url'),
    /** Signs every message; `previousSecret` too, while one replaces the other. */
    secret: text('secret'),
    previousSecret: text('previous_secret'),
    secretSetAt: instant('secret_set_at'),
    /** The types of events that it gets; null: all. */
    types: text('types').array(),
    isOn: boolean('is_on').notNull().default(true),
    /** Since when it takes no more: it answered 410, and nobody has resumed it. */
    pausedAt: instant('paused_at'),
    lastSuccessAt: instant('last_success_at'),
    /** When the first try failed since the last success. */
    failingSince: instant('failing_since'),
    version: version(),
    createdAt: createdAt(),
    createdBy: text('created_by').notNull(),
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    uniqueIndex('platform_endpoints_name')
      .on(sql`lower(${t.name})`)
      .where(sql`deleted_at IS NULL`),
    check('platform_endpoints_signed', sql`(${t.url} IS NULL) = (${t.secret} IS NULL)`),
    check('platform_endpoints_kept', sql`${t.id} <> ${sql.raw(settingsEndpoint)} OR ${t.deletedAt} IS NULL`),
  ],
)

/** What operators changed, written with the change; `messages` has a row for each endpoint that an event goes to. */
export const platformEvents = pgTable(
  'platform_events',
  {
    id: identity(),
    /** `webhook-id`, at every endpoint and over all tries. */
    eventId: text('event_id')
      .notNull()
      .default(sql`gen_random_uuid()`),
    type: text('type').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    /** Its place among those of its entity, from 1 without gaps; the trigger `platform_events_numbered` gives it. */
    sequence: integer('sequence').notNull(),
    /** The entity's version once the change was made. */
    version: integer('version').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
    /** When it was delivered, once a rule has deleted the messages that say so. */
    deliveredAt: instant('delivered_at'),
    changedIn: changedIn(),
  },
  (t) => [
    unique('platform_events_event_id').on(t.eventId),
    unique('platform_events_sequence').on(t.entityId, t.entityType, t.sequence),
    index('platform_events_changed').on(t.changedIn, t.id),
  ],
)

export const endpointId = () => bigint('endpoint_id', { mode: 'string' }).references(() => platformEndpoints.id)
export const eventRow = () => bigint('event_row', { mode: 'string' }).references(() => platformEvents.id)
