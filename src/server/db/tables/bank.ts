import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { bankDirections, bankFileFormats, bankLineStates, bookingStates, statementKinds } from '#contract/bank.ts'
import { type MatchFlag, matchOutcomes, suggestions } from '#contract/bank-allocations.ts'
import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { areTogether, createdAt, decimal, identity, instant, oneOf, version } from '#server/db/columns.ts'

/** Our own accounts at banks. A statement of any other account is refused. */
export const bankAccounts = pgTable(
  'bank_accounts',
  {
    id: identity(),
    name: text('name').notNull(),
    /** An IBAN without blanks, or the bank's own number as it was entered. */
    account: text('account').notNull(),
    /** The number without blanks, dots and hyphens, which files write in different ways. */
    accountKey: text('account_key').notNull(),
    currency: text('currency').notNull(),
    csvProfile: jsonb('csv_profile').$type<CsvProfile>(),
    isActive: boolean('is_active').notNull().default(true),
    version: version(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('bank_accounts_number').on(t.accountKey, t.currency),
    check('bank_accounts_currency_form', sql`${t.currency} ~ '^[A-Z]{3}$'`),
  ],
)

/**
 * The files that were imported. Their bytes are in the document store, found by their SHA-256. Of an import that was
 * undone the row stays, without statements and lines.
 */
export const bankImports = pgTable(
  'bank_imports',
  {
    id: identity(),
    sha256: text('sha256').notNull(),
    fileName: text('file_name').notNull(),
    format: text('format', { enum: bankFileFormats }).notNull(),
    /** In bytes. */
    size: integer('size').notNull(),
    linesNew: integer('lines_new').notNull(),
    linesKnown: integer('lines_known').notNull(),
    unreadableCount: integer('unreadable_count').notNull(),
    /** The first of what was odd and of what could not be read, with its place. */
    warnings: text('warnings').array().notNull(),
    unreadable: text('unreadable').array().notNull(),
    importedBy: text('imported_by').notNull(),
    /** The accounts that it has statements of, or had. */
    accountIds: bigint('account_ids', { mode: 'string' }).array().notNull().default([]),
    createdAt: createdAt(),
    undoneBy: text('undone_by'),
    undoneAt: instant('undone_at'),
    undoReason: text('undo_reason'),
    /** Who accepted that parts could not be read, since when, and why. */
    unreadableKnownBy: text('unreadable_known_by'),
    unreadableKnownAt: instant('unreadable_known_at'),
    unreadableReason: text('unreadable_reason'),
  },
  (t) => [
    uniqueIndex('bank_imports_file')
      .on(t.sha256)
      .where(sql`undone_at IS NULL`),
    check('bank_imports_undone_whole', areTogether(t.undoneAt, t.undoneBy, t.undoReason)),
    index('bank_imports_walk').on(t.createdAt, t.id),
    index('bank_imports_unreadable')
      .on(t.createdAt, t.id)
      .where(sql`unreadable_count > 0 AND undone_at IS NULL AND unreadable_known_at IS NULL`),
    check('bank_imports_unreadable_whole', areTogether(t.unreadableKnownAt, t.unreadableKnownBy, t.unreadableReason)),
    check('bank_imports_sha256_form', sql`${t.sha256} ~ '^[0-9a-f]{64}$'`),
    check('bank_imports_format_known', oneOf(t.format, bankFileFormats)),
  ],
)

const importId = () =>
  bigint('import_id', { mode: 'string' })
    .notNull()
    .references(() => bankImports.id)
const accountId = () =>
  bigint('account_id', { mode: 'string' })
    .notNull()
    .references(() => bankAccounts.id)
const statementId = () =>
  bigint('statement_id', { mode: 'string' })
    .notNull()
    .references(() => bankStatements.id)

/** Statements whose balances are those of a day. Reports of the day have balances of some moment. */
const isOfDay = sql`kind IN ('camt.053', 'MT940', 'CSV') AND opening IS NOT NULL AND closing IS NOT NULL`

/** What a file says of one account. Balances have a sign. */
export const bankStatements = pgTable(
  'bank_statements',
  {
    id: identity(),
    importId: importId(),
    accountId: accountId(),
    /** The statement whose closing balance is this one's opening balance. */
    continuesId: bigint('continues_id', { mode: 'string' }).references((): AnyPgColumn => bankStatements.id),
    kind: text('kind', { enum: statementKinds }).notNull(),
    /** The bank's own id, which may come again each year. */
    externalId: text('external_id'),
    number: text('number'),
    opening: decimal('opening'),
    openingOn: date('opening_on', { mode: 'string' }),
    /** The sums of its booked lines. */
    credits: decimal('credits').notNull().default('0.00'),
    debits: decimal('debits').notNull().default('0.00'),
    closing: decimal('closing'),
    closingOn: date('closing_on', { mode: 'string' }),
    /** Null without balances, 0 where the statement adds up. */
    difference: decimal('difference').generatedAlwaysAs(sql`opening + credits - debits - closing`),
    linesNew: integer('lines_new').notNull().default(0),
    linesKnown: integer('lines_known').notNull().default(0),
    createdAt: createdAt(),
    /** Who knows that the statement before it will never come, since when, and why. */
    gapKnownBy: text('gap_known_by'),
    gapKnownAt: instant('gap_known_at'),
    gapReason: text('gap_reason'),
    /** Who accepted that its lines and balances differ, since when, and why. */
    differenceKnownBy: text('difference_known_by'),
    differenceKnownAt: instant('difference_known_at'),
    differenceReason: text('difference_reason'),
    /** Whether the statement before it is missing, and nobody has accepted that. */
    isGap: boolean('is_gap').notNull().default(false),
    /** Of a gap, accepted or not, by how much the balances before and after it differ; null where that is not known. */
    jump: decimal('jump'),
    /** The next statement, where that begins with another balance than this one ended with. */
    contradiction: jsonb('contradiction'),
    /** The number where it is one that can be counted on from. */
    sequence: integer('sequence').generatedAlwaysAs(sql`CASE WHEN number ~ '^[0-9]{1,9}$' THEN number::integer END`),
    /** The day of its closing balance; where the file has none, of its opening balance or of the import. */
    endsOn: date('ends_on', { mode: 'string' })
      .notNull()
      .generatedAlwaysAs(sql`coalesce(closing_on, opening_on, (created_at AT TIME ZONE 'UTC')::date)`),
  },
  (t) => [
    index('bank_statements_walk').on(t.createdAt, t.id),
    index('bank_statements_order').on(t.accountId, t.kind, t.endsOn, t.sequence),
    index('bank_statements_sequence').on(t.accountId, t.kind, t.sequence, t.endsOn),
    // Few, and asked for by every open console.
    index('bank_statements_off')
      .on(t.accountId, t.createdAt, t.id)
      .where(sql`(difference <> 0 AND difference_known_at IS NULL) OR contradiction IS NOT NULL`),
    index('bank_statements_gaps')
      .on(t.accountId, t.createdAt, t.id)
      .where(sql`is_gap`),
    index('bank_statements_account').on(t.accountId, t.createdAt, t.id),
    // The first, the last and the latest of an account.
    index('bank_statements_first')
      .on(t.accountId, sql`coalesce(opening_on, ends_on)`)
      .where(isOfDay),
    index('bank_statements_last').on(t.accountId, t.endsOn).where(isOfDay),
    index('bank_statements_latest').on(
      t.accountId,
      sql`(kind = 'camt.054')`,
      t.endsOn.desc().nullsFirst(),
      t.sequence.desc().nullsLast(),
      t.id.desc().nullsFirst(),
    ),
    index('bank_statements_continues').on(t.continuesId),
    index('bank_statements_closing').on(t.accountId, t.closing),
    index('bank_statements_opening').on(t.accountId, t.opening, t.openingOn),
    check('bank_statements_kind_known', oneOf(t.kind, statementKinds)),
    check('bank_statements_gap_whole', areTogether(t.gapKnownAt, t.gapKnownBy, t.gapReason)),
    check(
      'bank_statements_difference_whole',
      areTogether(t.differenceKnownAt, t.differenceKnownBy, t.differenceReason),
    ),
  ],
)

/** The movements of our accounts, each once however many files have it. */
export const bankLines = pgTable(
  'bank_lines',
  {
    id: identity(),
    accountId: accountId(),
    /** The statement that brought it first. */
    statementId: statementId(),
    /** What the line is: equal payments have equal keys, told apart by their occurrence. */
    key: text('key').notNull(),
    occurrence: integer('occurrence').notNull(),
    /** Where it stands in its file. */
    place: text('place').notNull(),
    /** From 1, among the lines of its statement. */
    position: integer('position').notNull(),
    bookedOn: date('booked_on', { mode: 'string' }),
    valueOn: date('value_on', { mode: 'string' }),
    direction: text('direction', { enum: bankDirections }).notNull(),
    amount: decimal('amount').notNull(),
    currency: text('currency').notNull(),
    isReversal: boolean('is_reversal').notNull(),
    booking: text('booking', { enum: bookingStates }).notNull(),
    payerName: text('payer_name'),
    /** An IBAN without blanks, or another account number. */
    payerAccount: text('payer_account'),
    bankReference: text('bank_reference'),
    endToEndId: text('end_to_end_id'),
    mandateId: text('mandate_id'),
    uetr: text('uetr'),
    structured: text('structured').array().notNull(),
    remittance: text('remittance').array().notNull(),
    info: text('info').array().notNull(),
    /** What else the file says: codes, charges, the batch, schemes of references. */
    details: jsonb('details').$type<Record<string, unknown>>().notNull(),
    /** The key of the entry that it is a transaction of: another file may have that entry as one line. */
    entryKey: text('entry_key'),
    /** The statement whose lines stand for its money. Such a line is not work. */
    coveredBy: bigint('covered_by', { mode: 'string' }).references(() => bankStatements.id),
    /** How much of the amount has a purpose. */
    allocated: decimal('allocated').notNull().default('0.00'),
    /** Of its refunds, what has not gone out. The trigger that sums its allocations keeps it. */
    refundDue: decimal('refund_due').notNull().default('0.00'),
    /** Nobody sets it, so a line is in exactly one state (product 7.9). */
    state: text('state', { enum: bankLineStates })
      .notNull()
      .generatedAlwaysAs(
        sql`CASE WHEN booking <> 'booked' THEN booking WHEN allocated = amount THEN 'settled' WHEN allocated = 0 THEN 'open' ELSE 'part' END`,
      ),
    /** What is proposed for a line that is work. Null while nothing is; then it is computed. */
    suggestion: text('suggestion', { enum: suggestions }),
    outcome: text('outcome', { enum: matchOutcomes }),
    flags: text('flags').array().$type<MatchFlag[]>().notNull().default([]),
    /** The numbers of the first candidate's orders. */
    proposedOrders: text('proposed_orders').array().notNull().default([]),
    createdAt: createdAt(),
    /** The instant that lists are ordered by: its day of booking, else of value, else of import. */
    listedAt: instant('listed_at')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(coalesce(booked_on, value_on)::timestamp AT TIME ZONE 'UTC', created_at)`),
    version: version(),
    /** Payer, account, references and texts, a line break between each; lower case, accents folded. */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(
        sql`bank_line_search(payer_name, payer_account, ARRAY[bank_reference, end_to_end_id, mandate_id, uetr] || structured, remittance)`,
      ),
  },
  (t) => [
    unique('bank_lines_once').on(t.accountId, t.key, t.occurrence),
    index('bank_lines_walk').on(t.listedAt, t.id),
    index('bank_lines_account').on(t.accountId, t.listedAt, t.id),
    index('bank_lines_state').on(t.state, t.listedAt, t.id),
    index('bank_lines_account_state').on(t.accountId, t.state, t.listedAt, t.id),
    index('bank_lines_amount').on(t.amount, t.listedAt, t.id),
    index('bank_lines_statement').on(t.statementId),
    index('bank_lines_covered')
      .on(t.coveredBy)
      .where(sql`covered_by IS NOT NULL`),
    index('bank_lines_entry')
      .on(t.accountId, t.entryKey)
      .where(sql`entry_key IS NOT NULL`),
    // The transfers of an account, which money that comes in may return.
    index('bank_lines_sent')
      .on(t.accountId, t.listedAt, t.id)
      .where(sql`direction = 'debit'`),
    index('bank_lines_sent_id')
      .on(t.endToEndId)
      .where(sql`direction = 'debit' AND end_to_end_id IS NOT NULL`),
    index('bank_lines_unproposed')
      .on(t.id)
      .where(sql`suggestion IS NULL AND state IN ('open', 'part')`),
    index('bank_lines_work')
      .on(t.accountId, t.listedAt, t.id)
      .where(sql`state IN ('open', 'part')`),
    // Few, and counted by every open console.
    index('bank_lines_refund_due')
      .on(t.listedAt, t.id)
      .where(sql`refund_due > 0`),
    // The work that may pay an order.
    index('bank_lines_proposed')
      .using('gin', t.proposedOrders)
      .where(sql`state IN ('open', 'part')`),
    check('bank_lines_suggestion_known', oneOf(t.suggestion, suggestions)),
    check('bank_lines_outcome_known', oneOf(t.outcome, matchOutcomes)),
    check('bank_lines_direction_known', oneOf(t.direction, bankDirections)),
    check('bank_lines_booking_known', oneOf(t.booking, bookingStates)),
    check('bank_lines_amount_range', sql`${t.amount} >= 0 AND ${t.amount} < 1e15 AND scale(${t.amount}) <= 5`),
    check('bank_lines_allocated_range', sql`${t.allocated} >= 0 AND ${t.allocated} <= ${t.amount}`),
  ],
)
