import { sql, type SQL } from 'drizzle-orm'

/** A statement with numbered parameters, `$1`, and their values, as a part of another statement. */
export const bindValues = (text: string, values: readonly unknown[]): SQL =>
  sql.join(text.split(/\$(\d+)/).map((part, at) => (at % 2 ? sql`${values[Number(part) - 1]}` : sql.raw(part))))
