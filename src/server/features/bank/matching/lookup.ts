import type { OrderStatus } from '#contract/order-moves.ts'
import type { PersonName } from './names.ts'

/** What matching reads of an order. Amounts are decimal strings, instants are ISO 8601 in UTC. */
export interface MatchOrder {
  id: string
  orderNumber: string
  memberId: string
  projectName: string
  investmentAmount: string
  /** How much of the amount the bank's money covers. */
  received: string
  currency: string
  status: OrderStatus
  /** An operator marked it paid, and no money of the bank has been attached to all of it. */
  isPaidByHand?: boolean
  /** The bank took money of it back after it was completed. */
  isOwed?: boolean
  createdAt: string
  expiresAt: string
  /** ISO 11649, without blanks. */
  paymentReference: string | null
  /** The account to which the member is asked to pay. */
  iban: string | null
}

export interface MatchMember extends PersonName {
  id: string
  isBanned?: boolean
}

/** The money of a line that goes to one order. */
export interface MatchAllocation {
  orderId: string
  orderNumber: string
  /** Decimal string, more than 0. */
  amount: string
}

/** A credit of an earlier day, which a debit may take back. */
export interface EarlierCredit {
  lineId: string
  /** The account of ours that it came to. */
  accountId: string
  accountName: string
  amount: string
  currency: string
  /** YYYY-MM-DD. */
  bookedOn: string | null
  endToEndId: string | null
  payerAccount: string | null
  payerName: string | null
  /** The orders to which the credit's money went. */
  orders: readonly MatchOrder[]
  allocations: readonly MatchAllocation[]
  /** What of it is still to be paid back. Null where nothing is. */
  refundDue: string | null
  /** The orders that the refunds which are due were meant for. */
  refundOrders: readonly { id: string; orderNumber: string }[]
  /** The text that is proposed for the transfer of what is due. Null where nothing is. */
  refundText: string | null
  /** What of it the bank can take back: neither set aside to be paid back nor taken back before. */
  returnable: string
}

/** An active allocation of a transfer that can have come back: what it paid back, or what was put aside of it. */
export interface TransferAllocation {
  id: string
  purpose: 'refund' | 'ignored'
  amount: string
  /** The payer's account and end-to-end id of the credit that it paid back. */
  payerAccount: string | null
  endToEndId: string | null
  /** The orders that the refunds of this credit were meant for. */
  orders: readonly { id: string; orderNumber: string }[]
}

/** A transfer of ours of an earlier day, which money that comes in may return. */
export interface EarlierTransfer {
  lineId: string
  /** The account of ours that it left. */
  accountId: string
  amount: string
  currency: string
  /** YYYY-MM-DD. */
  bookedOn: string | null
  endToEndId: string | null
  uetr: string | null
  bankReference: string | null
  payeeAccount: string | null
  payeeName: string | null
  remittance: readonly string[]
  /** Without what came back before. */
  allocations: readonly TransferAllocation[]
  /** What of it has no purpose yet. */
  open: string
  /** What of it can have come back: it took no payment back, and has not come back before. */
  returnable: string
}

/**
 * What an order is looked up by:
 * - `number`: `foldNumber(orderNumber)`. Index on the generated column `reference_key`.
 * - `rf`: the RF reference. Unique index on `payment_reference`.
 * - `lookAlike`: `foldLookAlikes(key)`. Index on a generated column: `translate(reference_key, 'OQDILSBZG', '000115826')`.
 * - `nearby`: each of `listDeletions(key)`. A map in memory. A database looks up the numbers of `listNeighbours(word)` instead.
 * - `digits`: `foldDigits(key)`. Partial index on a generated column, where it has four digits at least.
 * - `amount`: `toAmountKey(currency, outstanding)`. Index on (currency, investment_amount - received) of waiting and expired
 *   orders. Of those that waited on the day of a line, more than three are not used, so four are enough.
 */
export const orderKeyKinds = ['number', 'rf', 'lookAlike', 'nearby', 'digits', 'amount'] as const
export type OrderKeyKind = (typeof orderKeyKinds)[number]

/**
 * What was fetched for a line, or for a batch of lines. The database answers in two rounds: first the keys of
 * `buildSearchKeys`, then the members of the orders found and the open orders of all members found.
 */
export interface MatchLookup {
  /** The lengths of all folded order numbers. `SELECT DISTINCT length(reference_key)`, kept in memory. */
  readonly numberLengths: ReadonlySet<number>
  /** In any state, except for `nearby` and `amount`. For the index see `OrderKeyKind`. */
  findOrders(kind: OrderKeyKind, key: string): readonly MatchOrder[]
  /** Waiting and expired orders. Index `orders_member`. */
  findOpenOrders(memberId: string): readonly MatchOrder[]
  /** Primary key of members. */
  findMember(id: string): MatchMember | undefined
  /** Members with an open order, 200 at most. GIN index on the stored `listNameKeys` of a member. */
  findMembersByName(nameKey: string): readonly MatchMember[]
  /** The ids of the members for whom the account was confirmed. Primary key of `payer_accounts`. */
  findAccountOwners(account: string): readonly string[]
  /** The accounts that were confirmed for the member. Index on `payer_accounts` (member_id). */
  findAccounts(memberId: string): readonly string[]
  /** Credits of this amount, or with this much to be paid back. Index on (currency, amount) of credits. */
  findCredits(currency: string, amount: string): readonly EarlierCredit[]
  /** Credits of this currency from this account of which something is to be paid back. Index on the allocations that are refunds. */
  findDueCredits(account: string, currency: string): readonly EarlierCredit[]
  /** The transfers that left this account, of those that the lines may return. Index on debits (account, day). */
  findTransfers(accountId: string | undefined): readonly EarlierTransfer[]
  /** Whether the IBAN is one of our accounts. Index on `bank_accounts` (account). */
  isOwnAccount(iban: string): boolean
}
