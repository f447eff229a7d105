import { eq, sql } from 'drizzle-orm'
import type { StatementAttention } from '#contract/bank.ts'
import type { AcceptProblem } from '#contract/schemas/bank-changes.ts'
import type { BankStatement } from '#contract/schemas/bank.ts'
import { RowId } from '#contract/schemas/common.ts'
import { actorName, announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { bankStatements } from '#server/db/tables/bank.ts'
import { toUnits } from '#server/lib/decimal.ts'
import { conflict, formatInstant, notFound } from '#server/lib/errors.ts'
import { checkStatements } from './attention.ts'
import { readStatement } from './statements.ts'

async function lockStatement(tx: Tx, id: string): Promise<BankStatement> {
  if (!RowId.safeParse(id).success) throw notFound('Statement')
  const [row] = await tx
    .select({ id: bankStatements.id })
    .from(bankStatements)
    .where(eq(bankStatements.id, id))
    .for('no key update')
  if (!row) throw notFound('Statement')
  return readStatement(tx, id)
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
    const statement = await lockStatement(tx, id)
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
