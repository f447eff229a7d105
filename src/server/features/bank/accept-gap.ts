import { eq, sql } from 'drizzle-orm'
import type { AcceptGap } from '#contract/schemas/bank-changes.ts'
import type { BankStatement } from '#contract/schemas/bank.ts'
import { RowId } from '#contract/schemas/common.ts'
import { actorName, announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { bankStatements } from '#server/db/tables/bank.ts'
import { conflict, formatInstant, notFound } from '#server/lib/errors.ts'
import { readStatement } from './statements.ts'

async function requireGap(tx: Tx, id: string): Promise<BankStatement> {
  if (!RowId.safeParse(id).success) throw notFound('Statement')
  const [row] = await tx
    .select({ id: bankStatements.id })
    .from(bankStatements)
    .where(eq(bankStatements.id, id))
    .for('no key update')
  if (!row) throw notFound('Statement')
  const statement = await readStatement(tx, id)
  if (statement.isGap) return statement
  const { acceptedGap } = statement
  throw conflict(
    'no_gap',
    acceptedGap
      ? `The gap was accepted by ${acceptedGap.by} on ${formatInstant(acceptedGap.at)}`
      : 'Nothing is missing before this statement',
  )
}

/** Accepts that the statement before this one never comes: its bank left a number out. Throws not_found and no_gap. */
export const acceptGap = (ctx: Ctx, id: string, { reason }: AcceptGap): Promise<BankStatement> =>
  inTransaction(ctx, async (tx) => {
    const { accountId, accountName, number, closingOn } = await requireGap(tx, id)
    await tx
      .update(bankStatements)
      .set({ gapKnownBy: actorName(ctx.actor), gapKnownAt: sql`now()`, gapReason: reason })
      .where(eq(bankStatements.id, id))
    await audit(tx, ctx, {
      action: 'accept_gap',
      target: { type: 'bank_statement', id },
      details: { accountId, account: accountName, number, closingOn, reason },
    })
    await announce(tx, 'bank')
    return readStatement(tx, id)
  })
