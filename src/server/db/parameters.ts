import { sql } from 'drizzle-orm'

/** Rows as one parameter for `jsonb_to_recordset`. An undefined field becomes NULL. */
export const recordset = (rows: readonly object[]) => sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`

/** A list as one array parameter. */
export const textArray = (values: Iterable<string>) => sql`${sql.param([...new Set(values)])}::text[]`
