import { check, index, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, identity, isAddress } from '#server/db/columns.ts'
import { members } from './members.ts'

export const wallets = pgTable(
  'wallets',
  {
    id: identity(),
    memberId: text('member_id')
      .notNull()
      .references(() => members.id, { onDelete: 'cascade' }),
    address: text('address').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('wallets_address').on(t.address),
    index('wallets_member').on(t.memberId, t.createdAt, t.id),
    check('wallets_address_form', isAddress(t.address)),
  ],
)
