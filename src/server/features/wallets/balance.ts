import { asc, eq } from 'drizzle-orm'
import type { WalletBalance } from '#contract/schemas/wallets.ts'
import { parseAddress } from '#server/lib/evm-address.ts'
import type { TokenContract } from '#server/adapters/chain.ts'
import { SharedRequests } from '#server/lib/shared-requests.ts'
import type { Ctx } from '#server/core/context.ts'
import { tokens } from '#server/db/tables/tokens.ts'
import { invalidField } from '#server/lib/errors.ts'

const overloaded = 'Too many balances are being read; try again in a moment'
const requestsByChain = new WeakMap<Ctx['chain'], SharedRequests<WalletBalance>>()

/**
 * The balance of a wallet in active tokens and the chain's coin. Throws invalid for an invalid address, and the errors
 * of the chain (adapters/chain.ts).
 */
export async function readWalletBalance(ctx: Ctx, walletAddress: string): Promise<WalletBalance> {
  const address = parseAddress(walletAddress)
  if (!address)
    throw invalidField(
      'walletAddress',
      'must be 0x and 40 hexadecimal digits; in mixed case with a valid EIP-55 checksum',
    )
  const { chain } = ctx
  const requests = requestsByChain.get(chain) ?? new SharedRequests<WalletBalance>(chain.nodes.deadlineMs, overloaded)
  requestsByChain.set(chain, requests)
  return requests.get(address, async (leftMs) => chain.reader.balance(address, await listActiveTokens(ctx), leftMs))
}

/** The active tokens, in a stable order. */
const listActiveTokens = ({ database: { db } }: Ctx): Promise<TokenContract[]> =>
  db
    .select({ tokenSymbol: tokens.tokenSymbol, contractAddress: tokens.contractAddress, decimals: tokens.decimals })
    .from(tokens)
    .where(eq(tokens.isActive, true))
    .orderBy(asc(tokens.kind), asc(tokens.createdAt), asc(tokens.id))
