import { eq, sql } from 'drizzle-orm'
import type { BankAccountChange, NewBankAccount } from '#contract/schemas/bank-changes.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { compactIban } from '#contract/iban.ts'
import { RowId } from '#contract/schemas/common.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { executePrepared } from '#server/db/execute-prepared.ts'
import { instant, formatMoney } from '#server/db/select.ts'
import { bankAccounts, bankLines } from '#server/db/tables/bank.ts'
import { isIban } from '#server/lib/iban.ts'
import { AppError, conflict, invalidField, notFound, requireVersion } from '#server/lib/errors.ts'
import { credits, creditSums, figures, dueSums, purposeSums } from './account-figures.ts'
import { proof } from './account-proof.ts'
import { noAgeing, selectAgeing } from './ageing.ts'
import { isOff, isUnreadable } from './attention.ts'
import { isSameAccount, type OtherAccountError } from './readers/csv-account.ts'
import { StatementError } from './readers/statement.ts'

export type AccountRow = typeof bankAccounts.$inferSelect

/** What an account number is compared by: files and people write the same one with other blanks, dots and hyphens. */
const toAccountKey = compactIban

/** As it is stored and shown: an IBAN without blanks, any other number as it was entered. */
const tidyAccount = (text: string): string => (isIban(compactIban(text)) ? compactIban(text) : text.trim())

const shortLength = 12

/** "DE89 3704 … 3000 (EUR)": enough to tell one's own accounts apart. */
function describeAccount({ account, currency }: { account: string; currency: string }): string {
  const plain = account.replace(/\s/g, '')
  const number = plain.length > shortLength ? `${plain.slice(0, 4)} ${plain.slice(4, 8)} … ${plain.slice(-4)}` : account
  return currency ? `${number} (${currency})` : number
}

/** The statement that ends last. An older one may be imported after it, and a notification (camt.054) has no balances. */
const latest = `SELECT json_build_object(
    'number', s.number, 'kind', s.kind, 'opening', ${formatMoney('s.opening')}, 'credits', ${formatMoney('s.credits')},
    'debits', ${formatMoney('s.debits')}, 'closing', ${formatMoney('s.closing')}, 'closingOn', s.closing_on::text,
    'difference', ${formatMoney('s.difference')}, 'importedBy', i.imported_by, 'importedAt', ${instant('s.created_at')}) AS latest
  FROM (SELECT * FROM bank_statements WHERE account_id = a.id
    ORDER BY kind = 'camt.054', ends_on DESC, sequence DESC NULLS LAST, id DESC LIMIT 1) s
  JOIN bank_imports i ON i.id = s.import_id`

/** How many statements have a problem, and the oldest of them with its sum. */
const describeProblem = (
  isProblem: string,
  amount: string,
) => `json_build_object('count', count(*) FILTER (WHERE ${isProblem}),
  'oldest', (array_agg(json_build_object('number', t.number, 'day', t.ends_on::text, 'amount', ${amount})
    ORDER BY t.ends_on, t.id) FILTER (WHERE ${isProblem}))[1])`

const offBy = `CASE WHEN ${isOff} THEN ${formatMoney('t.difference')} ELSE t.contradiction ->> 'difference' END`

/** The statements of an account that do not add up, alone or with the next, and those before which one is missing (product 6.11). */
const problems = `SELECT json_build_object(
    'differences', ${describeProblem(`${isOff} OR t.contradiction IS NOT NULL`, offBy)},
    'gaps', ${describeProblem('t.is_gap', formatMoney('t.jump'))}) AS problems
  FROM bank_statements t WHERE t.account_id = a.id AND (t.is_gap OR ${isOff} OR t.contradiction IS NOT NULL)`

/** What of an account's files could not be read, and nobody has accepted. */
const unreadable = `SELECT json_build_object('count', sum(t.unreadable_count)::int, 'files', count(*)::int,
    'fileName', (array_agg(t.file_name ORDER BY t.id))[1]) AS unreadable
  FROM bank_imports t WHERE a.id = ANY(t.account_ids) AND ${isUnreadable} HAVING count(*) > 0`

const nothing = sql`json_build_object('count', 0, 'credits', '0.00', 'debits', '0.00')`
const noWork = sql`json_build_object('total', 0, 'exact', 0, 'check', 0, 'unmatched', 0)`

async function readAccounts(db: Db | Tx, id?: string): Promise<BankAccount[]> {
  const only = id === undefined ? sql`true` : sql`a.id = ${id}`
  const { rows } = await executePrepared<BankAccount & Record<string, unknown>>(
    db,
    sql`SELECT a.id::text, a.name, a.account, a.currency, a.csv_profile AS "csvProfile", a.is_active AS "isActive", a.version,
      coalesce(f.lines, 0) AS lines, coalesce(f.booked, ${nothing}) AS booked, coalesce(f.open, ${nothing}) AS open,
      coalesce(f.work, ${noWork}) AS work, ${sql.raw(credits)} AS credits, l.latest, q.problems, r.proof, u.unreadable,
      coalesce(g.ageing, ${sql.raw(noAgeing)}) AS ageing, coalesce(s.purposes, '[]') AS purposes
    FROM bank_accounts a LEFT JOIN (${sql.raw(figures)}) f ON f.account_id = a.id::text
    LEFT JOIN (${sql.raw(creditSums)}) p ON p.account_id = a.id::text
    LEFT JOIN (${sql.raw(dueSums)}) d ON d.account_id = a.id::text
    LEFT JOIN (${sql.raw(purposeSums)}) s ON s.account_id = a.id::text
    LEFT JOIN (${sql.raw(selectAgeing)}) g ON g.account_id = a.id
    LEFT JOIN LATERAL (${sql.raw(latest)}) l ON true
    LEFT JOIN LATERAL (${sql.raw(problems)}) q ON true
    LEFT JOIN LATERAL (${sql.raw(proof)}) r ON true
    LEFT JOIN LATERAL (${sql.raw(unreadable)}) u ON true
    WHERE ${only} ORDER BY a.is_active DESC, lower(a.name), a.id`,
  )
  return rows
}

/** All accounts, those in use first, by name. */
export const listAccounts = ({ database }: Ctx): Promise<BankAccount[]> => readAccounts(database.db)

async function readAccount(tx: Tx, id: string): Promise<BankAccount> {
  const [account] = await readAccounts(tx, id)
  return account!
}

async function takenError(tx: Tx, given: { account: string; currency: string }) {
  const { rows } = await tx.execute<{ name: string }>(
    sql`SELECT name FROM bank_accounts WHERE account_key = ${toAccountKey(given.account)} AND currency = ${given.currency}`,
  )
  const problem = `${describeAccount(given)} is already the account ${rows[0]?.name ?? ''}`.trim()
  return new AppError('bank_account_taken', `account: ${problem}`, {
    details: [{ field: 'account', message: problem }],
  })
}

const describeForAudit = ({ name, account, currency, csvProfile, isActive }: Omit<AccountRow, 'id'>) => ({
  name,
  account,
  currency,
  csvProfile,
  isActive,
})

async function recordSave(tx: Tx, ctx: Ctx, id: string, details: Record<string, unknown>) {
  await audit(tx, ctx, { action: 'save_bank_account', target: { type: 'bank_account', id }, details })
  await announce(tx, 'bank')
}

/** Adds an account. Throws bank_account_taken for a number and currency that there are. */
export const createAccount = (ctx: Ctx, given: NewBankAccount): Promise<BankAccount> =>
  inTransaction(ctx, async (tx) => {
    const account = tidyAccount(given.account)
    const [row] = await tx
      .insert(bankAccounts)
      .values({ ...given, account, accountKey: toAccountKey(account) })
      .onConflictDoNothing({ target: [bankAccounts.accountKey, bankAccounts.currency] })
      .returning()
    if (!row) throw await takenError(tx, { ...given, account })
    await recordSave(tx, ctx, row.id, { after: describeForAudit(row) })
    return readAccount(tx, row.id)
  })

/** An account, locked until the transaction ends. Throws not_found. */
async function lockAccount(tx: Tx, id: string): Promise<AccountRow> {
  if (!RowId.safeParse(id).success) throw notFound('Bank account')
  const [row] = await tx.select().from(bankAccounts).where(eq(bankAccounts.id, id)).for('no key update')
  if (!row) throw notFound('Bank account')
  return row
}

/** Lines are told apart by the account's number and currency, so both stay once there are lines. */
async function requireUnused(tx: Tx, { id, account, currency }: AccountRow) {
  const [line] = await tx.select({ id: bankLines.id }).from(bankLines).where(eq(bankLines.accountId, id)).limit(1)
  if (line)
    throw conflict(
      'bank_account_used',
      `${describeAccount({ account, currency })} has lines: its number stays as it is`,
    )
}

/** Changes what is given. Throws not_found, stale, bank_account_taken, and bank_account_used. */
export const updateAccount = (
  ctx: Ctx,
  id: string,
  given: BankAccountChange,
  ifMatch: number | undefined,
): Promise<BankAccount> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockAccount(tx, id)
    requireVersion(ifMatch, before.version, () => staleError(before))
    const { account = before.account, ...rest } = given
    const change = { ...before, ...rest, account: tidyAccount(account) }
    if (JSON.stringify(describeForAudit(change)) === JSON.stringify(describeForAudit(before)))
      return readAccount(tx, id)
    const accountKey = toAccountKey(change.account)
    if (accountKey !== before.accountKey || change.currency !== before.currency) {
      await requireUnused(tx, before)
      const isOther = sql`${bankAccounts.accountKey} = ${accountKey} AND ${bankAccounts.currency} = ${change.currency}`
      const others = await tx.select({ id: bankAccounts.id }).from(bankAccounts).where(isOther)
      if (others.some((other) => other.id !== id)) throw await takenError(tx, change)
    }
    const after = { ...describeForAudit(change), accountKey, version: before.version + 1 }
    await tx.update(bankAccounts).set(after).where(eq(bankAccounts.id, id))
    await recordSave(tx, ctx, id, { before: describeForAudit(before), after: describeForAudit(change) })
    return readAccount(tx, id)
  })

function staleError({ name, account, currency, version }: AccountRow) {
  const present = `${name}, ${describeAccount({ account, currency })}`
  const message = `This bank account was changed meanwhile: now ${present}. Look again and decide.`
  return new AppError('stale', message, { details: { version } })
}

/** A file is of an account that is not one of ours. */
export class UnknownAccountError extends StatementError {
  readonly named: { account: string; currency: string }

  constructor(named: { account: string; currency: string }, place?: string) {
    super(`${describeAccount(named)} is not one of your accounts: add it first`, place)
    this.named = named
  }

  override inFile(name: string): UnknownAccountError {
    return new UnknownAccountError(this.named, name)
  }
}

/** The account that a file names, locked until the transaction ends. Throws a `StatementError` where it is not one of ours or off. */
export async function lockNamedAccount(tx: Tx, named: { account: string; currency: string }): Promise<AccountRow> {
  const ofCurrency = named.currency ? sql`${bankAccounts.currency} = ${named.currency}` : sql`true`
  const rows = await tx
    .select()
    .from(bankAccounts)
    .where(sql`${bankAccounts.accountKey} = ${toAccountKey(named.account)} AND ${ofCurrency}`)
    .orderBy(bankAccounts.id)
    .for('no key update')
  const [row] = rows
  if (!row) throw new UnknownAccountError(named)
  if (rows.length > 1)
    throw new StatementError(`${describeAccount(named)} is several of your accounts: the file names no currency`)
  if (!row.isActive) throw new StatementError(`${describeAccount(row)} is switched off: switch it on first`)
  return row
}

/** The refusal of a file that names another account than `chosen`: which one it is, if it is one of ours. */
export async function buildOtherAccountError(
  tx: Tx,
  { named, place }: OtherAccountError,
  chosen: { account: string; currency: string },
): Promise<AppError> {
  const rows = await tx.select().from(bankAccounts).orderBy(bankAccounts.id)
  const same = rows.filter(({ account }) => isSameAccount(named, account))
  const [ours] = [...same.filter(({ currency }) => currency === chosen.currency), ...same]
  const whose = ours ? `your account ${ours.name}` : 'none of your accounts'
  const message = `This file is of ${describeAccount({ account: named, currency: '' })}, ${whose}, and not of ${describeAccount(chosen)}`
  const told = place ? `${place}: ${message}` : message
  return new AppError('invalid', told, { details: [{ field: 'accountId', message: told }] })
}

/** The account of a CSV file, which the caller names. Throws invalid. */
export async function findChosenAccount(tx: Tx, id: string): Promise<AccountRow> {
  const [row] = await tx.select().from(bankAccounts).where(eq(bankAccounts.id, id))
  if (row) return row
  throw invalidField('accountId', 'is not one of your accounts')
}
