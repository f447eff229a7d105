import type { Ctx } from '#server/core/context.ts'
import { treasury } from '#demo/chain/build.ts'
import { addTreasuryWallet } from '#server/features/treasury/service.ts'
import { AppError } from '#server/lib/errors.ts'

/** Labels the wallet that hands out the local chain's tokens. One that an incomplete fill has labelled stays. */
export async function labelTreasury(ctx: Ctx): Promise<void> {
  await addTreasuryWallet(ctx, { address: treasury, label: 'Issuing wallet' }).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'treasury_wallet_taken')) throw error
  })
}
