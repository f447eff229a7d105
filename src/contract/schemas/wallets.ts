import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { Timestamp } from './common.ts'

export const Wallet = z.object({ id: z.string(), walletAddress: z.string(), createdAt: Timestamp })

const failures = ['no_contract', 'call_failed', 'bad_address'] as const

/** Balances are decimal strings, scaled by each token's decimals, all of one block. Never a made-up zero. */
export const WalletBalance = z.object({
  totalBalance: z.string(),
  tokens: z.array(z.object({ tokenSymbol: z.string(), balance: z.string() })),
  nativeBalance: z.string(),
  blockNumber: z.string(),
  blockAt: Timestamp,
  /** No node has newer blocks, though this one is a minute old and more: the balance may be another by now. */
  isOld: z.boolean(),
  chainId: z.int(),
  partial: z.boolean(),
  failed: z.array(z.object({ tokenSymbol: z.string(), error: z.enum(failures) })),
})
export type WalletBalance = z.infer<typeof WalletBalance>

export const walletSchemas = {
  balance: {
    summary: 'What a wallet holds on the chain; 503 until a chain is configured',
    params: z.object({ walletAddress: z.string().check(z.maxLength(100)) }),
    reply: WalletBalance,
    refuses: [
      'chain_disabled',
      'chain_unavailable',
      'chain_busy',
      'chain_wrong_network',
      'chain_bad_response',
      'chain_method_missing',
      'chain_batch_refused',
      'chain_request_refused',
      'chain_timeout',
    ],
  },
} satisfies Record<string, RouteSchemas>
