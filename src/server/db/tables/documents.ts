import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#server/db/columns.ts'
import { sessions } from './auth.ts'
import { documents } from './kyc.ts'

/** View tokens (product 6.4): kept hashed, bound to one session and one key, gone with the session. */
export const documentTokens = pgTable(
  'document_tokens',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    sessionId: bigint('session_id', { mode: 'string' })
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    documentKey: text('document_key')
      .notNull()
      .references(() => documents.key, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('document_tokens_session').on(t.sessionId), index('document_tokens_expiry').on(t.expiresAt)],
)
