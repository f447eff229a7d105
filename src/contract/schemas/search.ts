import * as z from 'zod/mini'
import { bankDirections, bankLineStates } from '#contract/bank.ts'
import { mostRecent } from '#contract/search.ts'
import { messageStates } from '#contract/messages.ts'
import { tokenKinds } from '#contract/token-kinds.ts'
import { Amount, text, Timestamp } from './common.ts'
import { KycStatus } from './kyc.ts'
import { OrderStatus } from './orders.ts'
import { TransactionStatus, TransactionType } from './transactions.ts'

/** `phone`: given where the search was for one. */
const MemberHit = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  membershipId: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  kycStatus: z.nullable(KycStatus),
  kycBanned: z.boolean(),
})
/** `iban`: given where the search was for one. */
const OrderHit = z.object({
  id: z.string(),
  orderNumber: z.string(),
  projectName: z.string(),
  userId: z.string(),
  userName: z.string(),
  iban: z.nullable(z.string()),
  status: OrderStatus,
  investmentAmount: Amount,
  currency: z.string(),
})
/** A line of a bank statement, for admins who may view them. */
const BankLineHit = z.object({
  id: z.string(),
  accountId: z.string(),
  accountName: z.string(),
  /** Null where the bank has not booked it. */
  bookedOn: z.nullable(z.string()),
  direction: z.enum(bankDirections),
  amount: Amount,
  currency: z.string(),
  state: z.enum(bankLineStates),
  payer: z.object({ name: z.nullable(z.string()), account: z.nullable(z.string()) }),
  /** What the payer wrote, else what the bank wrote. */
  text: z.string(),
  references: z.array(z.string()),
})
/** What an operator wrote on a member, on an order of theirs, or on a line of the bank. */
const NoteHit = z.object({
  id: z.string(),
  userId: z.nullable(z.string()),
  userName: z.nullable(z.string()),
  bankLineId: z.nullable(z.string()),
  order: z.nullable(z.object({ id: z.string(), orderNumber: z.string() })),
  text: z.string(),
  author: z.string(),
  createdAt: Timestamp,
})
const PlatformTransactionHit = z.object({
  id: z.string(),
  userId: z.string(),
  userName: z.string(),
  type: TransactionType,
  amount: Amount,
  status: TransactionStatus,
  createdAt: Timestamp,
})
const TransactionHit = z.object({
  id: z.string(),
  transactionHash: z.string(),
  walletAddress: z.string(),
  transactionType: TransactionType,
  amount: Amount,
  tokenSymbol: z.nullable(z.string()),
  status: TransactionStatus,
})
const TokenHit = z.object({
  id: z.string(),
  kind: z.enum(tokenKinds),
  projectName: z.string(),
  tokenSymbol: z.string(),
  contractAddress: z.string(),
  isActive: z.boolean(),
})
/** A message, found by its whole id, which every endpoint that gets it shares. */
const MessageHit = z.object({
  id: z.string(),
  messageId: z.string(),
  type: z.string(),
  entityId: z.nullable(z.string()),
  endpoint: z.nullable(z.string()),
  state: z.enum(messageStates),
  createdAt: Timestamp,
})

export const SearchReply = z.object({
  members: z.array(MemberHit),
  orders: z.array(OrderHit),
  bankLines: z.array(BankLineHit),
  notes: z.array(NoteHit),
  platformTransactions: z.array(PlatformTransactionHit),
  transactions: z.array(TransactionHit),
  tokens: z.array(TokenHit),
  messages: z.array(MessageHit),
})
export type SearchReply = z.infer<typeof SearchReply>

/** Ids of this form in one parameter, a comma between them. */
const idsOf = (form: string) =>
  z.optional(
    z.pipe(
      z
        .string()
        .check(z.regex(new RegExp(`^${form}(,${form}){0,${mostRecent - 1}}$`), `must be at most ${mostRecent} ids`)),
      z.transform((ids: string) => ids.split(',')),
    ),
  )

export const searchSchemas = {
  search: {
    summary:
      'Members, orders, bank lines, notes, transactions, tokens and messages by name, e-mail, telephone, id, number, amount, IBAN, hash or address; the best few of each',
    query: z.object({ q: text(200, 1) }),
    reply: SearchReply,
  },
  recent: {
    summary: 'Members and orders by their ids, as a search answers them; ids that are not known are left out',
    query: z.object({ members: idsOf('[A-Za-z0-9_.:-]{1,64}'), orders: idsOf('[1-9]\\d{0,17}') }),
    reply: SearchReply,
  },
}
