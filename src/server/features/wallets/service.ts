import type { WalletBalance } from '#contract/wallets.ts'
import { noChain } from '#server/adapters/chain.ts'
import { parseAddress } from '#server/addresses.ts'
import { invalidField } from '#server/errors.ts'

/** What a wallet holds on the chain. Throws invalid for an address that is none, chain_disabled without a chain. */
export async function walletBalance(walletAddress: string): Promise<WalletBalance> {
  const address = parseAddress(walletAddress)
  if (!address)
    throw invalidField(
      'walletAddress',
      'must be 0x and 40 hexadecimal digits; in mixed case with a valid EIP-55 checksum',
    )
  return noChain.balance(address)
}
