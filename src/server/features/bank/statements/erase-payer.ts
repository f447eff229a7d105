import { type SQL, sql } from 'drizzle-orm'
import { textArray } from '#server/db/parameters.ts'
import { type SearchedTexts, searchTexts, type TextsFound } from '#server/db/search-texts.ts'
import { notes } from '#server/db/tables/notes.ts'
import { eraseBankLineNotes } from '#server/features/notes/service.ts'
import type { Db, Tx } from '#server/db/client.ts'

/** What tells a member in a line, as words among others, and the lines where it may stand. */
export interface PayerTraces {
  words: string[]
  lineIds: string[]
}

/** Letters and digits that a trace has at least: fewer are found in the texts of strangers. */
const shortest = 5

/** A text as its words, with a blank around each: “Limaquist, Ana” as “ limaquist ana ”. */
const readWords = (text: SQL) => sql`' ' || regexp_replace(fold_text(${text}), '[^[:alnum:]]+', ' ', 'g') || ' '`

/** The line `l` has an active allocation for an order of another member. */
const paysOthers = (memberId: string) => sql`EXISTS (
  SELECT FROM bank_allocations AS p JOIN orders AS o ON o.id = p.order_id
  WHERE p.line_id = l.id AND p.undone_at IS NULL AND o.member_id <> ${memberId})`

/** Those of `texts` that no other member has too, and accounts that nobody else has paid from; and their patterns. */
async function readPatterns(db: Db | Tx, memberId: string, texts: readonly string[]) {
  const { rows } = await db.execute<{ searched: string; written: string; words: string }>(sql`
    SELECT search_pattern(text) AS searched, text AS written, '%' || ${readWords(sql`text`)} || '%' AS words FROM (
      SELECT t AS text FROM unnest(${textArray(texts)}) AS t
      WHERE NOT EXISTS (SELECT FROM members AS m WHERE m.id <> ${memberId} AND m.search LIKE search_pattern(t))
      UNION SELECT account FROM payer_accounts AS a WHERE a.member_id = ${memberId}
        AND NOT EXISTS (SELECT FROM payer_accounts AS b WHERE b.account = a.account AND b.member_id <> a.member_id)
        AND NOT EXISTS (
          SELECT FROM bank_lines AS l WHERE l.search LIKE search_pattern(a.account) AND l.payer_account = a.account
            AND ${paysOthers(memberId)})
    ) AS found
    WHERE length(${readWords(sql`text`)}) >= ${shortest + 2}`)
  return {
    searched: rows.map(({ searched }) => searched),
    written: rows.map(({ written }) => written),
    words: rows.map(({ words }) => words),
  }
}

/** Reads through all lines, before the member is locked. */
export async function readLinesAhead(db: Db, memberId: string, texts: readonly string[]): Promise<TextsFound> {
  return searchTexts(db, unindexedTexts, (await readPatterns(db, memberId, texts)).written)
}

/** What tells the member in lines that no order of theirs leads to. */
export async function readPayerTraces(
  tx: Tx,
  memberId: string,
  texts: readonly string[],
  ahead: TextsFound,
): Promise<PayerTraces> {
  const { searched, written, words } = await readPatterns(tx, memberId, texts)
  const { ids } = await searchTexts(tx, unindexedTexts, written, ahead)
  return { words, lineIds: [...(await searchLines(tx, searched)), ...ids] }
}

/** Lines that the index of the search finds. */
async function searchLines(tx: Tx, patterns: readonly string[]): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT id::text FROM bank_lines WHERE search LIKE ANY(${textArray(patterns)})`)
  return rows.map(({ id }) => id)
}

/** Whether a text has one of the traces as words. */
const names = (text: SQL, { words }: PayerTraces) =>
  sql`coalesce(${readWords(text)} LIKE ANY(${textArray(words)}), false)`
const joined = (column: string) => sql`array_to_string(${sql.raw(`l.${column}`)}, ' ')`

/** What the index of the search does not hold. */
const unindexedTexts: SearchedTexts = {
  rows: sql`bank_lines AS l`,
  id: sql`l.id`,
  text: sql`${joined('info')} || ' ' || l.details::text`,
}

/** The fields that may tell somebody, each with what of it is read. */
const fields = [
  ...(['payer_name', 'payer_account', 'bank_reference', 'end_to_end_id', 'mandate_id'] as const).map((name) => ({
    name,
    text: sql.raw(`l.${name}`),
    empty: sql`NULL`,
  })),
  ...(['structured', 'remittance', 'info'] as const).map((name) => ({ name, text: joined(name), empty: sql`'{}'` })),
  { name: 'details', text: sql`l.details::text`, empty: sql`'{}'` },
] as const

const hasTrace = (traces: PayerTraces) =>
  sql`(${sql.join(
    fields.map(({ text }) => names(text, traces)),
    sql` OR `,
  )})`

/** The number of lines that tell the member and are yet to be worked, but for those that pay an order of theirs. */
export async function countWaitingLines(tx: Tx, memberId: string, traces: PayerTraces): Promise<number> {
  if (traces.lineIds.length === 0) return 0
  const { rows } = await tx.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM bank_lines AS l
    WHERE l.state IN ('open', 'part') AND l.id = ANY(${textArray(traces.lineIds)}::bigint[]) AND ${hasTrace(traces)} AND NOT EXISTS (
      SELECT FROM bank_allocations AS p JOIN orders AS o ON o.id = p.order_id
      WHERE p.line_id = l.id AND p.undone_at IS NULL AND o.member_id = ${memberId})`)
  return rows[0]!.count
}

/**
 * Removes what connects a member with bank accounts, who paid from the lines that paid this member's orders alone and from those
 * that paid it back or returned that, and what tells the member in any other line that paid no other member's order. Amount, day and purpose
 * stay. Notes on the former go, and those on others that tell the member. Returns the number of lines.
 */
export async function erasePayer(tx: Tx, memberId: string, traces: PayerTraces): Promise<number> {
  await tx.execute(sql`DELETE FROM payer_accounts WHERE member_id = ${memberId}`)
  await tx.execute(sql`DELETE FROM payer_names WHERE member_id = ${memberId}`)
  const own = await emptyOwnLines(tx, memberId)
  await eraseBankLineNotes(tx, own, names(sql`${notes.text}`, traces))
  return own.length + (await emptyNamedFields(tx, memberId, traces))
}

/** An allocation stands, or went because the bank returned its money. */
const wasMade = (allocation: string) =>
  sql.raw(`(${allocation}.undone_at IS NULL OR ${allocation}.undone_with IS NOT NULL)`)

async function emptyOwnLines(tx: Tx, memberId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    WITH own AS (
      SELECT l.id FROM bank_lines AS l WHERE NOT ${paysOthers(memberId)} AND l.id IN (
        SELECT p.line_id FROM orders AS o JOIN bank_allocations AS p ON p.order_id = o.id
        WHERE o.member_id = ${memberId} AND p.undone_at IS NULL)
    ), back AS (
      SELECT p.line_id AS id FROM bank_allocations AS p
      WHERE ${wasMade('p')} AND p.other_line_id IN (SELECT id FROM own) AND NOT EXISTS (
        SELECT FROM bank_allocations AS q
        WHERE q.line_id = p.line_id AND ${wasMade('q')} AND q.purpose <> 'return' AND q.other_line_id NOT IN (SELECT id FROM own))
    ), returned AS (
      SELECT p.line_id AS id FROM bank_allocations AS p
      WHERE p.undone_at IS NULL AND p.purpose = 'return' AND p.other_line_id IN (SELECT id FROM back) AND NOT EXISTS (
        SELECT FROM bank_allocations AS q
        WHERE q.line_id = p.line_id AND q.undone_at IS NULL AND coalesce(q.other_line_id NOT IN (SELECT id FROM back), true))
    )
    UPDATE bank_lines SET payer_name = NULL, payer_account = NULL, bank_reference = NULL, end_to_end_id = NULL,
      mandate_id = NULL, structured = '{}', remittance = '{}', info = '{}', details = '{}', version = version + 1
    WHERE id IN (SELECT id FROM own UNION SELECT id FROM back UNION SELECT id FROM returned)
    RETURNING id::text`)
  return rows.map(({ id }) => id)
}

/** Empties each field that has a trace, and what belongs to a payer whose name is one. */
async function emptyNamedFields(tx: Tx, memberId: string, traces: PayerTraces): Promise<number> {
  if (traces.lineIds.length === 0) return 0
  const isPayer = names(sql`l.payer_name`, traces)
  const set = fields.map(({ name, text, empty }) => {
    const isOfPayer = name === 'payer_account' || name === 'details'
    const isTrace = isOfPayer ? sql`${isPayer} OR ${names(text, traces)}` : names(text, traces)
    return sql`${sql.raw(name)} = CASE WHEN ${isTrace} THEN ${empty} ELSE ${sql.raw(`l.${name}`)} END`
  })
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE bank_lines AS l SET ${sql.join(set, sql`, `)}, version = l.version + 1
    WHERE l.state NOT IN ('open', 'part') AND l.id = ANY(${textArray(traces.lineIds)}::bigint[]) AND ${hasTrace(traces)}
      AND NOT ${paysOthers(memberId)}
    RETURNING l.id::text`)
  return rows.length
}
