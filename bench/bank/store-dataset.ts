import type { MatchOrder, MatchAllocation } from '#server/features/bank/matching/lookup.ts'
import { toLineRow } from '#server/features/bank/statements/stored-line.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { bankAccounts, bankImports, bankLines, bankStatements } from '#server/db/tables/bank.ts'
import { bankAllocations, payerAccounts } from '#server/db/tables/bank-allocations.ts'
import { orders } from '#server/db/tables/orders.ts'
import { members } from '#server/db/tables/members.ts'
import type { Db } from '#server/db/client.ts'
import { sql } from 'drizzle-orm'
import type { BenchDataset } from './dataset.ts'

const details = { bankName: '', accountHolder: '', accountNumber: '', iban: '', swift: '', paymentInstructions: '' }

const toOrderRow = ({ id, paymentReference: _reference, ...order }: MatchOrder) => ({
  ...order,
  ...details,
  id,
  projectId: 'p-1',
  ...(order.status === 'paid' && { paidVia: 'bank' as const, received: order.investmentAmount }),
})

/** Stores an account with an empty statement. */
export async function storeAccount(db: Db, account: string, currency = 'EUR') {
  const given = { name: account, account, accountKey: account, currency }
  const [saved] = await db.insert(bankAccounts).values(given).returning()
  const [file] = await db
    .insert(bankImports)
    .values({
      sha256: sql`lpad(to_hex(${saved!.id}::bigint), 64, '0')`,
      fileName: `${account}.xml`,
      format: 'camt',
      size: 1,
      linesNew: 0,
      linesKnown: 0,
      unreadableCount: 0,
      warnings: [],
      unreadable: [],
      importedBy: 'bench',
    })
    .returning()
  const statement = { importId: file!.id, accountId: saved!.id, kind: 'camt.053' as const }
  const [{ id } = { id: '' }] = await db.insert(bankStatements).values(statement).returning({ id: bankStatements.id })
  return { accountId: saved!.id, statementId: id }
}
export type StoredAccount = Awaited<ReturnType<typeof storeAccount>>

/** Stores lines, and answers their ids in the same order. */
export async function storeLines(db: Db, { accountId, statementId }: StoredAccount, lines: readonly StatementLine[]) {
  const rows = lines.map((line, at) => ({
    ...toLineRow(
      { line, key: `${accountId}-${statementId}-${at}`, occurrence: 1 },
      { accountId, statementId, position: at + 1 },
    ),
  }))
  const saved = await db.insert(bankLines).values(rows).returning({ id: bankLines.id })
  return saved.map(({ id }) => id)
}

/** Stores members, orders and confirmed accounts of an invented dataset, with the ids that they have there. */
export async function storeDataset(
  db: Db,
  dataset: BenchDataset,
  { accountId, statementId }: StoredAccount,
): Promise<void> {
  await db
    .insert(members)
    .values(
      dataset.members.map(({ id, firstName, lastName }) => ({
        id,
        email: `${id}@example.com`,
        legalFirstName: firstName,
        legalLastName: lastName,
      })),
    )
  await db.insert(orders).overridingSystemValue().values(dataset.orders.map(toOrderRow))
  const [line] = await db
    .insert(bankLines)
    .values({
      accountId,
      statementId,
      key: 'confirmed',
      occurrence: 1,
      place: 'line 1',
      position: 1,
      direction: 'credit',
      amount: '0.01',
      currency: 'XXX',
      isReversal: false,
      booking: 'info',
      structured: [],
      remittance: [],
      info: [],
      details: {},
    })
    .returning({ id: bankLines.id })
  await storePayers(db, line!.id, dataset.accounts)
}

export async function storePayers(db: Db, lineId: string, accounts: readonly { account: string; memberId: string }[]) {
  if (accounts.length === 0) return
  await db
    .insert(payerAccounts)
    .values(accounts.map((each) => ({ ...each, lineId, confirmedBy: 'bench' })))
    .onConflictDoNothing()
}

/** Applies a stored line to the orders that it pays whole. */
export async function storePayment(db: Db, lineId: string, allocations: readonly MatchAllocation[]): Promise<void> {
  const evidence = { score: null, outcome: null, flags: [], reasons: [] }
  for (const { orderId, amount } of allocations) {
    const allocation = {
      lineId,
      purpose: 'order' as const,
      orderId,
      amount,
      rule: 'hand' as const,
      evidence,
      madeBy: 'bench',
    }
    await db.insert(bankAllocations).values(allocation)
    await db.execute(
      sql`UPDATE orders SET status = 'paid', paid_via = 'bank', version = version + 1 WHERE id = ${orderId}`,
    )
  }
}
