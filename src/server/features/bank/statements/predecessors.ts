import { and, desc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { bankStatements } from '#server/db/tables/bank.ts'
import { signedAmount } from './readers/balances.ts'
import { continuesStatement } from './readers/identity.ts'
import type { Balance, Statement } from './readers/statement.ts'

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
