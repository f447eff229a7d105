import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bookingStates } from '#contract/bank.ts'
import { bankLines, bankStatements } from './bank.ts'

/** Which statements have a line: an account's lines come again in overlapping files. */
export const bankStatementLines = pgTable(
  'bank_statement_lines',
  {
    lineId: bigint('line_id', { mode: 'string' })
      .notNull()
      .references(() => bankLines.id),
    statementId: bigint('statement_id', { mode: 'string' })
      .notNull()
      .references(() => bankStatements.id),
    /** The line's booking before this statement said that it is booked: undoing the import makes it so again. */
    bookedFrom: text('booked_from', { enum: bookingStates }),
  },
  (t) => [
    primaryKey({ columns: [t.lineId, t.statementId] }),
    index('bank_statement_lines_statement').on(t.statementId),
  ],
)
