import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { tokenKinds } from '#contract/token-kinds.ts'
import { createdAt, identity, instant, isAddress, oneOf, version } from '#server/db/columns.ts'

export const tokens = pgTable(
  'tokens',
  {
    id: identity(),
    kind: text('kind', { enum: tokenKinds }).notNull(),
    logo: text('logo').notNull(),
    projectName: text('project_name').notNull(),
    projectLink: text('project_link'),
    contractAddress: text('contract_address').notNull(),
    tokenSymbol: text('token_symbol').notNull(),
    decimals: integer('decimals').notNull().default(18),
    isActive: boolean('is_active').notNull().default(true),
    /** The operator who last set `is_active`; null while only the platform has. */
    activeSetBy: text('active_set_by'),
    activeSetAt: instant('active_set_at'),
    /** What the contract said of itself when it was last asked. */
    chainName: text('chain_name'),
    chainSymbol: text('chain_symbol'),
    chainDecimals: integer('chain_decimals'),
    chainHasCode: boolean('chain_has_code'),
    chainCheckedAt: instant('chain_checked_at'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    unique('tokens_address').on(t.kind, t.contractAddress),
    index('tokens_walk').on(t.kind, t.createdAt, t.id),
    check('tokens_kind_known', oneOf(t.kind, tokenKinds)),
    check('tokens_address_form', isAddress(t.contractAddress)),
    check('tokens_decimals_range', sql`${t.decimals} BETWEEN 0 AND 18`),
    check('tokens_link_form', sql`${t.projectLink} ~ '^https?://'`),
    check('tokens_active_setter', sql`num_nulls(${t.activeSetBy}, ${t.activeSetAt}) IN (0, 2)`),
  ],
)
