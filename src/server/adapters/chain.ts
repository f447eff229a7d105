import type { WalletBalance } from '#contract/wallets.ts'
import { AppError } from '#server/errors.ts'

/** The chain as far as the console reads it. Addresses are lower case. */
export interface Chain {
  /** All balances are of one block. */
  balance(address: string): Promise<WalletBalance>
}

/** Stands where no chain is configured. */
export const noChain: Chain = {
  async balance() {
    throw new AppError('chain_disabled', 'No chain is configured: set BSC_RPC_URLS')
  },
}
