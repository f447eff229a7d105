import { sql, type SQL } from 'drizzle-orm'
import { bigint, customType, integer } from 'drizzle-orm/pg-core'

/** What PostgreSQL prints for a timestamptz, as ISO 8601 in UTC with milliseconds: the one form of an instant in this code. */
export const toInstant = (value: string) => new Date(value).toISOString()

/** `timestamptz(3)`, an ISO 8601 string in code. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: toInstant,
})

/** Money and token amounts: exact, never a float. Every table adds the checks of product 6.1. */
export const decimal = customType<{ data: string; driverData: string }>({ dataType: () => 'numeric' })

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** The number of a transaction, which never comes twice. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * The transaction that wrote a row last, in which changes are listed: unlike an id or a time, it tells which rows may still
 * be written by transactions under way (docs/decisions/026).
 */
export const changedIn = () =>
  transactionId('changed_in')
    .notNull()
    .default(sql`pg_current_xact_id()`)
/** Ids that the database gives out, text in code and on the wire. */
export const identity = () => bigint('id', { mode: 'string' }).primaryKey().generatedAlwaysAsIdentity()

export const createdAt = () =>
  instant('created_at')
    .notNull()
    .default(sql`now()`)

/** Grows by one with every change; what `If-Match` is compared with (product 8.4). */
export const version = () => integer('version').notNull().default(1)

/** `column IN (…)` for a check constraint, from the contract's own list. */
export const oneOf = (column: unknown, values: readonly string[]): SQL =>
  sql`${column} IN (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`

/** Product 6.1: 0 or more, at most 60 digits before and 18 after the point. */
export const isAmount = (column: unknown): SQL => sql`${column} >= 0 AND ${column} < 1e60 AND scale(${column}) <= 18`

/** Addresses are kept in lower case, so that one wallet is one row. */
export const isAddress = (column: unknown): SQL => sql`${column} ~ '^0x[0-9a-f]{40}$'`
