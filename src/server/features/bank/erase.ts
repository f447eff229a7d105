import { type SQL, sql } from 'drizzle-orm'
import { textArray } from '#server/core/upsert.ts'
import type { Tx } from '#server/db/client.ts'

/** What tells a member in a line: as it is written, as the lines' search finds it, and as words among others. */
export interface PayerTraces {
  texts: string[]
  searched: string[]
  words: string[]
}

/** Letters and digits that a trace has at least: fewer are found in the texts of strangers. */
const shortest = 5

/** A text as its words, with a blank around each: “Limaquist, Ana” as “ limaquist ana ”. */
const readWords = (text: SQL) => sql`' ' || regexp_replace(fold_text(${text}), '[^[:alnum:]]+', ' ', 'g') || ' '`

/** The line `l` has an active part for an order of another member. */
const paysOthers = (memberId: string) => sql`EXISTS (
  SELECT FROM bank_parts AS p JOIN orders AS o ON o.id = p.order_id
  WHERE p.line_id = l.id AND p.undone_at IS NULL AND o.member_id <> ${memberId})`

/**
 * What tells the member in lines that no order of theirs leads to: those of `texts` that no other member has too, and the
 * accounts that nobody else has paid from.
 */
export async function readPayerTraces(tx: Tx, memberId: string, texts: readonly string[]): Promise<PayerTraces> {
  const { rows } = await tx.execute<{ text: string; searched: string; words: string }>(sql`
    SELECT text, search_pattern(text) AS searched, '%' || ${readWords(sql`text`)} || '%' AS words FROM (
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
    texts: rows.map(({ text }) => text),
    searched: rows.map(({ searched }) => searched),
    words: rows.map(({ words }) => words),
  }
}

/** Whether a text has one of the traces as words. */
const names = (text: SQL, { words }: PayerTraces) =>
  sql`coalesce(${readWords(text)} LIKE ANY(${textArray(words)}), false)`
const joined = (column: string) => sql`array_to_string(${sql.raw(`l.${column}`)}, ' ')`

/** Lines `l` that have a trace anywhere. The index of the search finds most; what it does not hold is read through. */
function selectNamed(traces: PayerTraces): SQL {
  const written = textArray(traces.texts.map((text) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`))
  return sql`(l.search LIKE ANY(${textArray(traces.searched)})
    OR ${joined('info')} ILIKE ANY(${written}) OR l.details::text ILIKE ANY(${written}))`
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
  if (traces.texts.length === 0) return 0
  const { rows } = await tx.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM bank_lines AS l
    WHERE l.state IN ('open', 'part') AND ${selectNamed(traces)} AND ${hasTrace(traces)} AND NOT EXISTS (
      SELECT FROM bank_parts AS p JOIN orders AS o ON o.id = p.order_id
      WHERE p.line_id = l.id AND p.undone_at IS NULL AND o.member_id = ${memberId})`)
  return rows[0]!.count
}

/**
 * Removes what connects a member with bank accounts, who paid from the lines that paid this member's orders alone and from those
 * that paid it back, and what tells the member in any other line that paid no other member's order. Amount, day and purpose
 * stay. Returns the number of lines.
 */
export async function erasePayer(tx: Tx, memberId: string, traces: PayerTraces): Promise<number> {
  await tx.execute(sql`DELETE FROM payer_accounts WHERE member_id = ${memberId}`)
  await tx.execute(sql`DELETE FROM payer_names WHERE member_id = ${memberId}`)
  return (await emptyOwnLines(tx, memberId)) + (await emptyNamedFields(tx, memberId, traces))
}

async function emptyOwnLines(tx: Tx, memberId: string): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    WITH own AS (
      SELECT l.id FROM bank_lines AS l WHERE NOT ${paysOthers(memberId)} AND l.id IN (
        SELECT p.line_id FROM orders AS o JOIN bank_parts AS p ON p.order_id = o.id
        WHERE o.member_id = ${memberId} AND p.undone_at IS NULL)
    ), back AS (
      SELECT p.line_id AS id FROM bank_parts AS p
      WHERE p.undone_at IS NULL AND p.other_line_id IN (SELECT id FROM own) AND NOT EXISTS (
        SELECT FROM bank_parts AS q
        WHERE q.line_id = p.line_id AND q.undone_at IS NULL AND q.other_line_id NOT IN (SELECT id FROM own))
    )
    UPDATE bank_lines SET payer_name = NULL, payer_account = NULL, bank_reference = NULL, end_to_end_id = NULL,
      mandate_id = NULL, structured = '{}', remittance = '{}', info = '{}', details = '{}', version = version + 1
    WHERE id IN (SELECT id FROM own UNION SELECT id FROM back)
    RETURNING id::text`)
  return rows.length
}

/** Empties each field that has a trace, and what belongs to a payer whose name is one. */
async function emptyNamedFields(tx: Tx, memberId: string, traces: PayerTraces): Promise<number> {
  if (traces.texts.length === 0) return 0
  const isPayer = names(sql`l.payer_name`, traces)
  const set = fields.map(({ name, text, empty }) => {
    const isOfPayer = name === 'payer_account' || name === 'details'
    const isTrace = isOfPayer ? sql`${isPayer} OR ${names(text, traces)}` : names(text, traces)
    return sql`${sql.raw(name)} = CASE WHEN ${isTrace} THEN ${empty} ELSE ${sql.raw(`l.${name}`)} END`
  })
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE bank_lines AS l SET ${sql.join(set, sql`, `)}, version = l.version + 1
    WHERE l.state NOT IN ('open', 'part') AND ${selectNamed(traces)} AND ${hasTrace(traces)}
      AND NOT ${paysOthers(memberId)}
    RETURNING l.id::text`)
  return rows.length
}
