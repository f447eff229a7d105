import type { ApplyAllocations, NewAllocation } from '#contract/schemas/bank-allocations.ts'
import type { Ctx } from '#server/core/context.ts'
import { applyAllocations, createAccount, importStatementFile } from '#server/features/bank/service.ts'
import { AppError } from '#server/lib/errors.ts'
import { demoAccounts, type DemoCurrency } from './accounts.ts'
import type { DemoDecision, DemoMovement } from './payments.ts'
import type { DemoBank, DemoFile } from './statements.ts'

interface StoredMovement {
  lineId: string
  movement: DemoMovement
}

/** Imports the demo's statements as an operator does, and decides their lines. What an incomplete fill has done is skipped. */
export async function fillBank(ctx: Ctx, { files }: DemoBank): Promise<{ lines: number; decided: number }> {
  const accountIds = await addAccounts(ctx)
  for (const file of files) await importFile(ctx, file, accountIds[file.account])
  const stored = (await Promise.all(files.map((file) => findLines(ctx, file)))).flat()
  const open = await listOpen(ctx)
  const orderIds = await readOrderIds(ctx)
  const lineIds = new Map(stored.map(({ lineId, movement }) => [movement, lineId]))
  const decided = stored.filter(({ lineId, movement }) => movement.decision && open.has(lineId))
  decided.sort((one, other) => (one.movement.decidedAt! < other.movement.decidedAt! ? -1 : 1))
  for (const { lineId, movement } of decided) {
    const allocations = buildAllocations(movement, { lineIds, orderIds })
    await decide(ctx, lineId, allocations, movement.decidedAt!)
  }
  return { lines: stored.length, decided: decided.length }
}

async function ignoreKnown(work: Promise<unknown>, code: string): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === code)) throw error
  })
}

async function addAccounts(ctx: Ctx): Promise<Record<DemoCurrency, string>> {
  for (const account of Object.values(demoAccounts))
    await ignoreKnown(createAccount(ctx, account), 'bank_account_taken')
  const { rows } = await ctx.database.pool.query<{ currency: DemoCurrency; id: string }>(
    'SELECT currency, id::text FROM bank_accounts',
  )
  return Object.fromEntries(rows.map(({ currency, id }) => [currency, id])) as Record<DemoCurrency, string>
}

async function importFile(ctx: Ctx, { name, content, account }: DemoFile, accountId: string): Promise<void> {
  const options = { accountId: account === 'USD' ? accountId : undefined, isDryRun: false }
  await ignoreKnown(importStatementFile(ctx, { fileName: name, bytes: content }, options), 'file_imported')
}

/** The lines of a statement are numbered in its order, and the statements of a zip stand in the order of its files. */
async function findLines({ database }: Ctx, { name, payments }: DemoFile): Promise<StoredMovement[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT l.id::text FROM bank_imports i JOIN bank_statements s ON s.import_id = i.id JOIN bank_lines l ON l.statement_id = s.id
     WHERE i.file_name = $1 ORDER BY s.id, l.position`,
    [name],
  )
  if (rows.length !== payments.length) throw new Error(`${name}: ${rows.length} lines of ${payments.length}`)
  return rows.map(({ id }, n) => ({ lineId: id, movement: payments[n]! }))
}

async function listOpen({ database }: Ctx): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ id: string }>(`SELECT id::text FROM bank_lines WHERE state = 'open'`)
  return new Set(rows.map(({ id }) => id))
}

async function readOrderIds({ database }: Ctx): Promise<Map<string, string>> {
  const { rows } = await database.pool.query<{ id: string; number: string }>(
    'SELECT id::text, order_number AS number FROM orders',
  )
  return new Map(rows.map(({ id, number }) => [number, id]))
}

interface KnownIds {
  lineIds: ReadonlyMap<DemoMovement, string>
  orderIds: ReadonlyMap<string, string>
}

function buildAllocations({ amount, decision }: DemoMovement, { lineIds, orderIds }: KnownIds): NewAllocation[] {
  const given: DemoDecision = decision!
  if (given.purpose === 'ignored') return [{ purpose: 'ignored', amount, code: given.code }]
  if (given.purpose === 'order') {
    const orderId = orderIds.get(given.orderNumber)!
    const { rest } = given
    return [
      { purpose: 'order', orderId, amount: given.amount },
      ...(rest ? [{ purpose: 'refund' as const, orderId, ...rest }] : []),
    ]
  }
  return [{ purpose: 'refund', lineId: lineIds.get(given.of)!, amount }]
}

const payerReason = 'The member confirmed the account by phone.'

/** Gives a reason only where another than the member has paid. */
async function decide(ctx: Ctx, lineId: string, allocations: NewAllocation[], at: string): Promise<void> {
  const apply = (given: ApplyAllocations) => applyAllocations({ ...ctx, at }, lineId, given, undefined)
  await apply({ allocations }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'payer_differs') return apply({ allocations, reason: payerReason })
    throw error
  })
}
