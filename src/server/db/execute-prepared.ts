import { sql, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

import type pg from 'pg'
import type { Db, Tx } from './client.ts'

const dialect = new PgDialect()

/**
 * Runs a statement that PostgreSQL plans once for each connection, under a name made from its text. For long statements
 * that run all the time and have few texts.
 */
export const executePrepared = <Row extends pg.QueryResultRow>(db: Db | Tx, statement: SQL) =>
  db._.session
    .prepareQuery<{ execute: pg.QueryResult<Row> }>(dialect.sqlToQuery(statement), 'raw', true, undefined)
    .execute()

/** A statement with numbered parameters, `$1`, and their values, as a part of another statement. */
export const bindValues = (text: string, values: readonly unknown[]): SQL =>
  sql.join(text.split(/\$(\d+)/).map((part, at) => (at % 2 ? sql`${values[Number(part) - 1]}` : sql.raw(part))))
