import { sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { bankLines } from '#server/db/tables/bank.ts'
import { writableColumns } from '#server/db/write.ts'
import { toUnits } from '#server/lib/decimal.ts'
import { parseIban } from '#server/lib/iban.ts'
import { omit } from '#server/lib/omit.ts'
import { entryKey, type NewLine } from './readers/identity.ts'
import type { BatchPlace, StatementLine } from './readers/statement.ts'

type LineRow = typeof bankLines.$inferSelect

/** How much of each text of a line, and of each name, is read for matching: several times what banks pass on of one payment. */
const longestText = 1000
const longestName = 200

/** The beginning of texts that follow one another. */
function shortenTexts(texts: readonly string[]): string[] {
  let left = longestText
  return texts.flatMap((text) => {
    const kept = left > 0 ? [text.slice(0, left)] : []
    left -= text.length
    return kept
  })
}

const shortenName = (name: string | null) => name && name.slice(0, longestName)

/**
 * A stored line in the form that readers give it, with what is known of its row. Its texts are as long as matching reads them, so that
 * no line keeps the server busy.
 */
export interface StoredLine {
  id: string
  accountId: string
  /** The number of the account that it belongs to. */
  account: string
  state: LineRow['state']
  allocated: string
  version: number
  line: StatementLine
}

/** What of a line has no purpose yet, in units. */
export const getLeft = ({ line, allocated }: StoredLine): bigint => toUnits(line.amount) - toUnits(allocated)

interface Details {
  ultimate?: string
  textName?: string
  textIban?: string
  bic?: string
  code?: string
  returnReason?: string
  instructed?: StatementLine['instructed']
  batch?: BatchPlace
  schemes?: (string | null)[]
  charges?: StatementLine['charges']
  warnings?: string[]
}

type WireLine = Omit<LineRow, 'key' | 'occurrence' | 'position' | 'search' | 'listedAt' | 'createdAt'> & {
  account: string
}

function toStoredLine(row: WireLine): StoredLine {
  const { id, accountId, account, state, allocated, version, payerName, payerAccount, structured } = row
  const {
    ultimate = null,
    textName = null,
    textIban = null,
    bic = null,
    schemes = [],
    ...details
  } = row.details as Details
  const iban = payerAccount && parseIban(payerAccount)
  const line: StatementLine = {
    place: row.place,
    amount: row.amount,
    currency: row.currency,
    direction: row.direction,
    isReversal: row.isReversal,
    booking: row.booking,
    bookedOn: row.bookedOn,
    valueOn: row.valueOn,
    bankReference: row.bankReference,
    endToEndId: shortenName(row.endToEndId),
    uetr: row.uetr,
    mandateId: row.mandateId,
    structured: shortenTexts(structured).map((reference, at) => ({ scheme: schemes[at] ?? null, reference })),
    remittance: shortenTexts(row.remittance),
    info: shortenTexts(row.info),
    counterparty: {
      name: shortenName(payerName),
      ultimate: shortenName(ultimate),
      iban,
      account: iban ? null : payerAccount,
      bic,
      textName: shortenName(textName),
      textIban,
    },
    code: details.code ?? null,
    returnReason: details.returnReason ?? null,
    instructed: details.instructed ?? null,
    charges: details.charges ?? [],
    batch: details.batch ?? null,
    warnings: details.warnings ?? [],
  }
  return { id, accountId, account, state, allocated, version, line }
}

const columns = sql`l.id::text, l.account_id::text AS "accountId", a.account, l.state, l.allocated::text, l.version, l.place,
  l.amount::text, l.currency, l.direction, l.is_reversal AS "isReversal", l.booking, l.booked_on::text AS "bookedOn",
  l.value_on::text AS "valueOn", l.bank_reference AS "bankReference", l.end_to_end_id AS "endToEndId", l.uetr,
  l.mandate_id AS "mandateId", l.structured, l.remittance, l.info, l.payer_name AS "payerName",
  l.payer_account AS "payerAccount", l.details`

/**
 * Stored lines as readers give them. `rest` follows the join of lines `l` and accounts `a`: a condition, an order, a lock.
 */
export async function readStoredLines(db: Db | Tx, rest: SQL): Promise<StoredLine[]> {
  const { rows } = await db.execute<WireLine & Record<string, unknown>>(
    sql`SELECT ${columns} FROM bank_lines l JOIN bank_accounts a ON a.id = l.account_id ${rest}`,
  )
  return rows.map(toStoredLine)
}

type NewLineRow = Omit<
  typeof bankLines.$inferInsert,
  'suggestion' | 'outcome' | 'flags' | 'proposedOrders' | 'coveredBy'
>

/** The columns of a new line. What is proposed for it is found later. */
export const insertedColumns = omit(writableColumns(bankLines), [
  'suggestion',
  'outcome',
  'flags',
  'proposedOrders',
  'coveredBy',
])

/** PostgreSQL stores no NUL and no half of a character. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()
export const cleanOrNull = (text: string | null): string | null => text && cleanText(text)

/** What has no column of its own: what is absent is left out. */
function listDetails(line: StatementLine): Record<string, unknown> {
  const { counterparty, structured, code, returnReason, instructed, charges, batch, warnings } = line
  const schemes = structured.map(({ scheme }) => scheme)
  const details = {
    ultimate: counterparty.ultimate,
    textName: counterparty.textName,
    textIban: counterparty.textIban,
    bic: counterparty.bic,
    code,
    returnReason,
    instructed,
    batch,
    ...(schemes.some((scheme) => scheme !== null) && { schemes }),
    ...(charges.length > 0 && { charges }),
    ...(warnings.length > 0 && { warnings }),
  }
  const present = Object.entries(details).filter(([, value]) => value !== null)
  return JSON.parse(JSON.stringify(Object.fromEntries(present)), (_name, value: unknown) =>
    typeof value === 'string' ? cleanText(value) : value,
  ) as Record<string, unknown>
}

/** The row of a new line. */
export function toLineRow(
  { line, key, occurrence }: NewLine,
  { accountId, statementId, position }: Pick<NewLineRow, 'accountId' | 'statementId' | 'position'>,
): Omit<NewLineRow, 'allocated' | 'version' | 'createdAt'> {
  const { counterparty } = line
  return {
    accountId,
    statementId,
    key,
    occurrence,
    position,
    place: cleanText(line.place),
    bookedOn: line.bookedOn,
    valueOn: line.valueOn,
    direction: line.direction,
    amount: line.amount,
    currency: cleanText(line.currency),
    isReversal: line.isReversal,
    booking: line.booking,
    payerName: cleanOrNull(counterparty.name),
    payerAccount: cleanOrNull(counterparty.iban ?? counterparty.account),
    bankReference: cleanOrNull(line.bankReference),
    endToEndId: cleanOrNull(line.endToEndId),
    mandateId: cleanOrNull(line.mandateId),
    uetr: cleanOrNull(line.uetr),
    structured: line.structured.map(({ reference }) => cleanText(reference)),
    remittance: line.remittance.map(cleanText),
    info: line.info.map(cleanText),
    details: listDetails(line),
    entryKey: entryKey(accountId, line),
  }
}
