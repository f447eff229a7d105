import * as z from 'zod/mini'
import { text } from './common.ts'
import { route } from './route.ts'
import { tokenKinds } from './tokens.ts'

/** The groups of the global search, in the order they are shown. */
export const searchGroups = ['members', 'orders', 'transactions', 'tokens'] as const
export type SearchGroup = (typeof searchGroups)[number]

/** How many of each group are answered. */
export const mostHits = 5

/** A whole transaction hash or wallet address: what Transaction Monitoring can be searched for. */
export const isWholeKey = (text: string): boolean => /^0x[0-9a-f]{40}([0-9a-f]{24})?$/i.test(text)

const MemberHit = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  membershipId: z.nullable(z.string()),
})
const OrderHit = z.object({ id: z.string(), orderNumber: z.string(), projectName: z.string(), userName: z.string() })
/** `userId`: the member whose wallet it is, where one has registered it. */
const TransactionHit = z.object({
  id: z.string(),
  transactionHash: z.string(),
  walletAddress: z.string(),
  transactionType: z.string(),
  userId: z.nullable(z.string()),
})
const TokenHit = z.object({
  id: z.string(),
  kind: z.enum(tokenKinds),
  projectName: z.string(),
  tokenSymbol: z.string(),
  contractAddress: z.string(),
})

export const SearchReply = z.object({
  members: z.array(MemberHit),
  orders: z.array(OrderHit),
  transactions: z.array(TransactionHit),
  tokens: z.array(TokenHit),
})
export type SearchReply = z.infer<typeof SearchReply>

export const searchRoutes = {
  search: route({
    method: 'GET',
    path: '/api/search',
    summary:
      'Members, orders, transactions and tokens by name, e-mail, id, number, hash or address; the best few of each',
    query: z.object({ q: text(200, 1) }),
    reply: SearchReply,
  }),
}
