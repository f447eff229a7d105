import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { wallets } from '#server/db/tables/wallets.ts'

/** Takes the wallets from a member. Transfers stay, as the chain has them; nothing says any more whose they are. */
export async function deleteWallets(tx: Tx, memberId: string): Promise<number> {
  const deleted = await tx.delete(wallets).where(eq(wallets.memberId, memberId)).returning({ id: wallets.id })
  return deleted.length
}
