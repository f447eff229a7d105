import { eq, sql } from 'drizzle-orm'
import { RowId } from '#contract/schemas/common.ts'
import type { NewTreasuryWallet, TreasuryWallet } from '#contract/schemas/treasury.ts'
import { mostTreasuryWallets } from '#contract/treasury.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { instant } from '#server/db/select.ts'
import { treasuryWallets } from '#server/db/tables/treasury.ts'
import { AppError, conflict, invalidField, notFound, requireVersion } from '#server/lib/errors.ts'
import { parseAddress } from '#server/lib/evm-address.ts'

type WalletRow = typeof treasuryWallets.$inferSelect

/** The platform's own wallets, by label. */
export async function listTreasuryWallets(db: Db | Tx): Promise<TreasuryWallet[]> {
  const { rows } = await db.execute<TreasuryWallet & Record<string, unknown>>(sql`
    SELECT t.id::text, t.address, t.label, w.member_id AS "memberId", ${sql.raw(instant('t.created_at'))} AS "createdAt",
      t.created_by AS "createdBy", t.version
    FROM treasury_wallets t LEFT JOIN wallets w ON w.address = t.address ORDER BY lower(t.label), t.id`)
  return rows
}

async function readWallet(tx: Tx, id: string): Promise<TreasuryWallet> {
  return (await listTreasuryWallets(tx)).find((wallet) => wallet.id === id)!
}

const takenError = (problem: string, code: 'treasury_wallet_taken' | 'wallet_taken') =>
  new AppError(code, `address: ${problem}`, { details: [{ field: 'address', message: problem }] })

async function recordChange(
  tx: Tx,
  ctx: Ctx,
  action: 'save_treasury_wallet' | 'remove_treasury_wallet',
  { id, address }: Pick<WalletRow, 'id' | 'address'>,
  labels: { before?: string; after?: string },
) {
  await audit(tx, ctx, { action, target: { type: 'treasury_wallet', id }, details: { address, ...labels } })
  // Transfers show the label of their other side.
  await announce(tx, 'chain', 'chainTransactions')
}

/** Labels a wallet. Throws invalid, treasury_wallet_taken, wallet_taken for a member's, treasury_wallet_limit. */
export const addTreasuryWallet = (ctx: Ctx, given: NewTreasuryWallet): Promise<TreasuryWallet> =>
  inTransaction(ctx, async (tx) => {
    const address = parseAddress(given.address)
    if (!address) throw invalidField('address', 'does not match its EIP-55 checksum')
    await lockInTransaction(tx, 'treasury wallets')
    const present = await tx.select().from(treasuryWallets)
    const same = present.find((wallet) => wallet.address === address)
    if (same) throw takenError(`this wallet is already labelled ${same.label}`, 'treasury_wallet_taken')
    if (present.length >= mostTreasuryWallets)
      throw conflict('treasury_wallet_limit', `There are ${mostTreasuryWallets} own wallets already; remove one first`)
    const { rows } = await tx.execute<{ memberId: string }>(
      sql`SELECT member_id AS "memberId" FROM wallets WHERE address = ${address}`,
    )
    if (rows[0]) throw takenError(`this wallet belongs to the member ${rows[0].memberId}`, 'wallet_taken')
    const [row] = await tx
      .insert(treasuryWallets)
      .values({ address, label: given.label.trim(), createdBy: ctx.actor.name })
      .returning()
    await recordChange(tx, ctx, 'save_treasury_wallet', row!, { after: row!.label })
    return readWallet(tx, row!.id)
  })

async function lockWallet(tx: Tx, id: string, ifMatch: number | undefined): Promise<WalletRow> {
  if (!RowId.safeParse(id).success) throw notFound('Own wallet')
  const [row] = await tx.select().from(treasuryWallets).where(eq(treasuryWallets.id, id)).for('update')
  if (!row) throw notFound('Own wallet')
  requireVersion(ifMatch, row.version, () => {
    const message = `This wallet was changed meanwhile: now ${row.label}. Look again and decide.`
    return new AppError('stale', message, { details: { version: row.version } })
  })
  return row
}

/** Changes the label. Throws not_found and stale. */
export const updateTreasuryWallet = (
  ctx: Ctx,
  id: string,
  given: { label: string },
  ifMatch: number | undefined,
): Promise<TreasuryWallet> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockWallet(tx, id, ifMatch)
    const label = given.label.trim()
    if (label !== before.label) {
      await tx
        .update(treasuryWallets)
        .set({ label, version: before.version + 1 })
        .where(eq(treasuryWallets.id, id))
      await recordChange(tx, ctx, 'save_treasury_wallet', before, { before: before.label, after: label })
    }
    return readWallet(tx, id)
  })

/** Removes the wallet and its label. Throws not_found and stale. */
export const removeTreasuryWallet = (ctx: Ctx, id: string, ifMatch: number | undefined): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockWallet(tx, id, ifMatch)
    await tx.delete(treasuryWallets).where(eq(treasuryWallets.id, id))
    await recordChange(tx, ctx, 'remove_treasury_wallet', before, { before: before.label })
  })
