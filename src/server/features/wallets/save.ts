import { sql, eq } from 'drizzle-orm'
import { listMembersAgain } from '#server/features/members/service.ts'
import { parseAddress } from '#server/lib/evm-address.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { wallets } from '#server/db/tables/wallets.ts'
import { writableColumns, insertRows, updateRows, type WrittenRow } from '#server/db/write.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { omit } from '#server/lib/omit.ts'
import { textArray } from '#server/db/parameters.ts'
import { applyChange, findKnownMembers, applyItems, type Outcome } from '#server/core/upsert.ts'

/** Takes the wallets from a member. Transfers stay, as the chain has them; nothing says any more whose they are. */
export async function deleteWallets(tx: Tx, memberId: string): Promise<number> {
  const deleted = await tx.delete(wallets).where(eq(wallets.memberId, memberId)).returning({ id: wallets.id })
  return deleted.length
}

export interface WalletItem {
  memberId: string
  address: string
  createdAt?: string | undefined
}

const writtenColumns = writableColumns(wallets)
type WalletRow = WrittenRow<typeof writtenColumns>

const addressOf = (item: WalletItem) => parseAddress(item.address) ?? ''

/** Registers wallets. A wallet belongs to one member for ever. */
export async function saveWallets(tx: Tx, _ctx: Ctx, items: readonly WalletItem[]): Promise<Outcome[]> {
  const members = await findKnownMembers(tx, items)
  const found = await tx
    .select(writtenColumns)
    .from(wallets)
    .where(sql`${wallets.address} = ANY(${textArray(items.map(addressOf))})`)
    .orderBy(wallets.address)
    .for('no key update')
  const stored = new Map(found.map((row): [string, WalletRow] => [row.address, row]))
  const { outcomes, inserts, updates } = applyItems(items, stored, addressOf, (item, present) => {
    const address = addressOf(item)
    if (!address) return invalidField('address', 'does not match its EIP-55 checksum')
    const refusal = members.refuse(item.memberId)
    if (refusal) return refusal
    if (!present) return { address, memberId: item.memberId, createdAt: item.createdAt ?? null }
    if (present.memberId !== item.memberId)
      return new AppError('wallet_taken', 'address: this wallet belongs to another member')
    return applyChange(present, { createdAt: item.createdAt })
  })
  await updateRows(tx, { address: wallets.address }, omit(writtenColumns, ['memberId', 'address']), updates)
  await insertRows(tx, writtenColumns, inserts, ['address'])
  await listMembersAgain(
    tx,
    [...inserts, ...updates].map(({ memberId }) => memberId),
  )
  return outcomes
}
