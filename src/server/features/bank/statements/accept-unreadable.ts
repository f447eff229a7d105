import { eq, sql } from 'drizzle-orm'
import type { AcceptUnreadable } from '#contract/schemas/bank-changes.ts'
import type { BankImport } from '#contract/schemas/bank.ts'
import { RowId } from '#contract/schemas/common.ts'
import { actorName, announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { bankImports } from '#server/db/tables/bank.ts'
import { conflict, formatInstant, notFound } from '#server/lib/errors.ts'
import { readImportRow } from './statements.ts'
import { findUndone } from './undo-obstacle.ts'

async function requireUnreadable(tx: Tx, id: string) {
  if (!RowId.safeParse(id).success) throw notFound('Import')
  const [row] = await tx.select().from(bankImports).where(eq(bankImports.id, id)).for('no key update')
  if (!row) throw notFound('Import')
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
export const acceptUnreadable = (ctx: Ctx, id: string, { reason }: AcceptUnreadable): Promise<BankImport> =>
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
