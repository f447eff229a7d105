import { eq, sql } from 'drizzle-orm'
import type { StatementAttention } from '#contract/bank.ts'
import type { AcceptProblem } from '#contract/schemas/bank-changes.ts'
import type { BankImport, BankStatement } from '#contract/schemas/bank.ts'
import { RowId } from '#contract/schemas/common.ts'
import { actorName, announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { bankImports, bankStatements } from '#server/db/tables/bank.ts'
import { toUnits } from '#server/lib/decimal.ts'
import { conflict, formatInstant, notFound } from '#server/lib/errors.ts'
import { checkStatements } from './attention.ts'
import { readImportRow, readStatement } from './statements.ts'
import { findImport, findUndone } from './undo-obstacle.ts'

async function lockRow(tx: Tx, table: typeof bankStatements | typeof bankImports, id: string, what: string) {
  if (!RowId.safeParse(id).success) throw notFound(what)
  const [row] = await tx.select({ id: table.id }).from(table).where(eq(table.id, id)).for('no key update')
  if (!row) throw notFound(what)
}

function requireGap({ isGap, acceptedGap }: BankStatement): void {
  if (isGap) return
  throw conflict(
    'no_gap',
    acceptedGap
      ? `The gap was accepted by ${acceptedGap.by} on ${formatInstant(acceptedGap.at)}`
      : 'Nothing is missing before this statement',
  )
}

function requireDifference({ difference, acceptedDifference: accepted }: BankStatement): void {
  if (accepted)
    throw conflict('no_difference', `The difference was accepted by ${accepted.by} on ${formatInstant(accepted.at)}`)
  if (difference === null || toUnits(difference) === 0n)
    throw conflict('no_difference', 'The lines of this statement and its balances do not differ')
}

/**
 * Accepts that the statement before this one never comes, since its bank left a number out, or that the bank's own balances and lines
 * differ. Throws not_found, and no_gap or no_difference.
 */
export const acceptProblem = (ctx: Ctx, id: string, problem: StatementAttention, { reason }: AcceptProblem) =>
  inTransaction(ctx, async (tx): Promise<BankStatement> => {
    await lockRow(tx, bankStatements, id, 'Statement')
    const statement = await readStatement(tx, id)
    const { accountId, accountName, number, closingOn, difference } = statement
    const [by, at] = [actorName(ctx.actor), sql`now()`]
    if (problem === 'gap') requireGap(statement)
    else requireDifference(statement)
    await tx
      .update(bankStatements)
      .set(
        problem === 'gap'
          ? { gapKnownBy: by, gapKnownAt: at, gapReason: reason }
          : { differenceKnownBy: by, differenceKnownAt: at, differenceReason: reason },
      )
      .where(eq(bankStatements.id, id))
    await checkStatements(tx, accountId)
    await audit(tx, ctx, {
      action: `accept_${problem}`,
      target: { type: 'bank_statement', id },
      details: {
        accountId,
        account: accountName,
        number,
        closingOn,
        ...(problem === 'difference' && { difference }),
        reason,
      },
    })
    await announce(tx, 'bank')
    return readStatement(tx, id)
  })

async function requireUnreadable(tx: Tx, id: string) {
  await lockRow(tx, bankImports, id, 'Import')
  const row = await findImport(tx, id)
  const undone = findUndone(row)
  if (undone) throw undone
  const { unreadableKnownBy: by, unreadableKnownAt: at } = row
  if (at !== null)
    throw conflict('no_unreadable', `What could not be read was accepted by ${by} on ${formatInstant(at)}`)
  if (row.unreadableCount === 0) throw conflict('no_unreadable', 'Everything in this file could be read')
  return row
}

/**
 * Accepts that parts of a file could not be read: somebody has looked at them, and their money is accounted for elsewhere. Throws
 * not_found, import_undone and no_unreadable.
 */
export const acceptUnreadable = (ctx: Ctx, id: string, { reason }: AcceptProblem): Promise<BankImport> =>
  inTransaction(ctx, async (tx) => {
    const { fileName, unreadableCount } = await requireUnreadable(tx, id)
    await tx
      .update(bankImports)
      .set({ unreadableKnownBy: actorName(ctx.actor), unreadableKnownAt: sql`now()`, unreadableReason: reason })
      .where(eq(bankImports.id, id))
    await audit(tx, ctx, {
      action: 'accept_unreadable',
      target: { type: 'bank_import', id },
      details: { fileName, unreadableCount, reason },
    })
    await announce(tx, 'bank')
    return readImportRow(tx, id)
  })
