import { bankLines } from '#server/db/tables/bank.ts'
import { writableColumns } from '#server/db/write.ts'
import { omit } from '#server/lib/omit.ts'
import { entryKey, type NewLine } from './readers/identity.ts'
import type { StatementLine } from './readers/statement.ts'

type LineRow = Omit<typeof bankLines.$inferInsert, 'suggestion' | 'outcome' | 'flags' | 'proposedOrders' | 'coveredBy'>

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
const cleanOrNull = (text: string | null): string | null => text && cleanText(text)

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
  { accountId, statementId, position }: Pick<LineRow, 'accountId' | 'statementId' | 'position'>,
): Omit<LineRow, 'allocated' | 'version' | 'createdAt'> {
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
