import { and, desc, eq, isNull, lte, or, sql, type SQL } from 'drizzle-orm'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { bankStatements } from '#server/db/tables/bank.ts'
import { continuesStatement, readContent, type StoredLines } from './readers/identity.ts'
import { type Balance, type Statement, type StatementLine, signedAmount } from './readers/statement.ts'

/** A statement that is being stored. */
interface PresentStatement {
  id: string
  kind: Statement['kind']
  account: { id: string }
  /** It and the statements that it continues. */
  chain: string[]
}

interface WrittenRow {
  payerName: string | null
  payerAccount: string | null
  textName: string | null
  textIban: string | null
  remittance: string[]
  structured: string[]
  endToEndId: string | null
}

const written = sql`l.payer_name AS "payerName", l.payer_account AS "payerAccount", l.details ->> 'textName' AS "textName",
  l.details ->> 'textIban' AS "textIban", l.remittance, l.structured, l.end_to_end_id AS "endToEndId"`

const contentOf = ({ payerName: name, payerAccount: account, textName, textIban, structured, ...row }: WrittenRow) =>
  readContent({
    ...row,
    structured: structured.map((reference) => ({ scheme: null, reference })),
    counterparty: { name, textName, iban: null, account, textIban },
  })

const isIn = (statements: string[]) => sql`EXISTS (SELECT FROM bank_statement_lines s
  WHERE s.line_id = l.id AND s.statement_id = ANY(${textArray(statements)}::bigint[]))`

/**
 * What is stored under these keys. OFFSET 0 looks each line up by its key: a table that grows within the transaction has no
 * statistics to plan by.
 */
export async function findStored(tx: Tx, { account, chain }: PresentStatement, keys: string[]): Promise<StoredLines[]> {
  const { rows } = await tx.execute<Omit<StoredLines, 'content'> & WrittenRow & Record<string, unknown>>(sql`
    SELECT k.key, ${written}, max(l.occurrence) AS last,
      coalesce(array_agg(l.occurrence ORDER BY l.occurrence DESC) FILTER (WHERE NOT ${isIn(chain)}), '{}') AS free,
      bool_or(l.booking <> 'booked' AND l.covered_by IS NULL) AS "hasUnbooked"
    FROM unnest(${textArray(keys)}) AS k(key) CROSS JOIN LATERAL (
      SELECT * FROM bank_lines WHERE account_id = ${account.id} AND key = k.key OFFSET 0
    ) l GROUP BY k.key, l.payer_name, l.payer_account, 4, 5, l.remittance, l.structured, l.end_to_end_id`)
  const stored = rows.map(({ key, last, free, hasUnbooked, ...row }) => ({
    key,
    last,
    free,
    hasUnbooked,
    content: contentOf(row),
  }))
  // Texts that differ in blanks alone are one content.
  return [...Map.groupBy(stored, ({ key, content }) => JSON.stringify([key, content])).values()].map((same) => ({
    ...same[0]!,
    last: Math.max(...same.map(({ last }) => last)),
    free: same.flatMap(({ free }) => free).toSorted((a, b) => b - a),
    hasUnbooked: same.some(({ hasUnbooked }) => hasUnbooked),
  }))
}

/** A line whose reference is stored already is told: two payments with one reference may be one that was changed. */
export const describeAnother = ({ place, bankReference }: StatementLine) =>
  `${place}: its reference ${bankReference} is also that of a payment of another payer or text, so that both are counted`

interface DatedRow extends WrittenRow {
  amount: string
  place: string
  fileName: string
  name: string
  bankReference: string | null
}

/** What a file says of a payment but its amount. Of a batch the place tells transactions apart. */
const paymentName = sql`concat_ws(' ', l.direction, l.is_reversal, l.currency, l.details -> 'batch' ->> 'index',
  l.details -> 'batch' ->> 'isRest')`

async function readDay(tx: Tx, accountId: string, day: string, condition: SQL): Promise<DatedRow[]> {
  const { rows } = await tx.execute<DatedRow & Record<string, unknown>>(sql`
    SELECT l.amount::text, l.place, i.file_name AS "fileName", ${paymentName} AS name,
      l.bank_reference AS "bankReference", ${written}
    FROM bank_lines l JOIN bank_statements b ON b.id = l.statement_id JOIN bank_imports i ON i.id = b.import_id
    WHERE l.account_id = ${accountId} AND l.listed_at = ${day}::timestamp AT TIME ZONE 'UTC' AND l.booking = 'booked' AND ${condition} ORDER BY l.id`)
  return rows
}

/** Files of these kinds have all payments of their days, so that one that is missing was changed. */
const wholeKinds: ReadonlySet<Statement['kind']> = new Set(['camt.053', 'MT940', 'CSV'])

/**
 * Tells the new lines of a statement that came before with another amount: of one kind of file, with equal reference, payer and text,
 * and not in this statement. A bank corrects a statement by sending it again, and the money of both is counted. A day at a time, so
 * that a long statement takes no more memory than its fullest day.
 */
export async function findCorrectedLines(tx: Tx, statement: PresentStatement, days: string[]): Promise<string[]> {
  const told: string[] = []
  for (const day of days) told.push(...(await findCorrectedOf(tx, statement, day)))
  return told
}

async function findCorrectedOf(tx: Tx, { id, kind, account, chain }: PresentStatement, day: string): Promise<string[]> {
  const isOfKind = sql`EXISTS (SELECT FROM bank_statement_lines s JOIN bank_statements k ON k.id = s.statement_id
    WHERE s.line_id = l.id AND k.kind = ${kind})`
  const others = await readDay(tx, account.id, day, sql`NOT ${isIn(chain)} AND ${isOfKind}`)
  if (others.length === 0) return []
  const nameOf = ({ name, bankReference, ...row }: DatedRow) => {
    const content = Object.values(contentOf(row))
    const isTold = bankReference !== null || (wholeKinds.has(kind) && content.some((text) => text !== ''))
    return isTold ? JSON.stringify([name, bankReference, content]) : null
  }
  const before = Map.groupBy(others, nameOf)
  const own = await readDay(tx, account.id, day, sql`l.statement_id = ${id}`)
  return own.flatMap((line) => {
    const name = nameOf(line)
    const other = name === null ? undefined : before.get(name)?.pop()
    if (!other || other.amount === line.amount) return []
    const where = `${other.fileName}, ${other.place}`
    return `${line.place}: came before with ${other.amount} instead of ${line.amount} (${where}), so that both are counted`
  })
}

/** How many statements are followed back. Equal lines have one day of booking, so that few of them matter. */
const longestChain = 100

/** How many statements with the wanted closing balance are looked at: an account may end each day at 0.00. */
const mostCandidates = 20

/** The same statement in another file continues what it continued there. */
async function findTwin(tx: Tx, accountId: string, { kind, number, opening }: Statement) {
  if (!number || !opening) return undefined
  const [twin] = await tx
    .select({ continuesId: bankStatements.continuesId })
    .from(bankStatements)
    .where(
      and(
        eq(bankStatements.accountId, accountId),
        eq(bankStatements.kind, kind),
        eq(bankStatements.number, number),
        sql`${bankStatements.opening} = ${signedAmount(opening)}`,
        sql`${bankStatements.openingOn} IS NOT DISTINCT FROM ${opening.day}::date`,
      ),
    )
    .orderBy(bankStatements.id)
    .limit(1)
  return twin
}

const toBalance = (signed: string, currency: string): Balance => ({
  amount: signed.replace('-', ''),
  direction: signed.startsWith('-') ? 'debit' : 'credit',
  currency,
  day: null,
})

const endsBy = (day: string | null | undefined) =>
  day ? or(isNull(bankStatements.closingOn), lte(bankStatements.closingOn, day)) : undefined

/** The stored statement that this one begins where it ended; null where there is none, or none can be told. */
export async function findPredecessor(tx: Tx, accountId: string, statement: Statement): Promise<string | null> {
  const twin = await findTwin(tx, accountId, statement)
  if (twin) return twin.continuesId
  const { kind, number, opening, closing } = statement
  if (!opening) return null
  // Of two statements of one day the second may begin, as the first, with the day before.
  const isNumberedBefore =
    number && /^\d{1,9}$/.test(number)
      ? and(eq(bankStatements.kind, kind), eq(bankStatements.sequence, Number(number) - 1), endsBy(closing?.day))
      : undefined
  const isEarlier = opening.day ? or(endsBy(opening.day), isNumberedBefore) : undefined
  const candidates = await tx
    .select({ id: bankStatements.id, number: bankStatements.number, closing: bankStatements.closing })
    .from(bankStatements)
    .where(
      and(
        eq(bankStatements.accountId, accountId),
        sql`${bankStatements.closing} = ${signedAmount(opening)}`,
        isEarlier,
      ),
    )
    .orderBy(desc(bankStatements.id))
    .limit(mostCandidates)
  const found = candidates.find(({ number, closing }) =>
    continuesStatement(statement, { number, closing: closing === null ? null : toBalance(closing, opening.currency) }),
  )
  return found?.id ?? null
}

/** The statement and those that it continues, one after the other. */
export async function listChain(tx: Tx, id: string | null): Promise<string[]> {
  if (id === null) return []
  const { rows } = await tx.execute<{ id: string }>(sql`
    WITH RECURSIVE chain AS (
      SELECT id, continues_id, 1 AS place FROM bank_statements WHERE id = ${id}
      UNION ALL
      SELECT s.id, s.continues_id, place + 1 FROM chain JOIN bank_statements s ON s.id = chain.continues_id
      WHERE place < ${longestChain}
    )
    SELECT id::text FROM chain`)
  return rows.map((row) => row.id)
}
