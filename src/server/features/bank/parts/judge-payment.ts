import { inArray } from 'drizzle-orm'
import type { BankPart } from '#contract/schemas/reconciliation.ts'
import type { Tx } from '#server/db/client.ts'
import { bankAccounts } from '#server/db/tables/bank.ts'
import { members } from '#server/db/tables/users.ts'
import { toAccountKey } from '#server/features/bank/account-number.ts'
import { type Candidate, judgeOrders, showReason } from '#server/features/bank/matching/judge.ts'
import { MemoryWorld } from '#server/features/bank/matching/memory-world.ts'
import { sameName } from '#server/features/bank/matching/names.ts'
import { getPayerNames } from '#server/features/bank/matching/payer.ts'
import { readLine } from '#server/features/bank/matching/reading.ts'
import type { PolicyRow } from '#server/features/bank/policy-row.ts'
import { fromUnits } from '#server/features/bank/readers/decimal.ts'
import type { StoredLine } from '#server/features/bank/stored-line.ts'
import { isPaidByHand, type OrderRow } from '#server/features/orders/service.ts'
import { AppError } from '#server/lib/errors.ts'
import { getLeft } from './lock-lines.ts'
import { findPayerAccounts } from './payer-accounts.ts'

/** What speaks for and against a credit paying the orders of one member. */
export interface PaymentJudgement {
  orderIds: string[]
  evidence: BankPart['evidence']
  isThirdParty: boolean
  /** The refusal where another person paid and no reason is given; null where the member paid. */
  payerDiffers: AppError | null
}

const readMembers = (tx: Tx, ids: readonly string[]) =>
  tx
    .select({ id: members.id, firstName: members.legalFirstName, lastName: members.legalLastName })
    .from(members)
    .where(inArray(members.id, [...ids]))

async function readOwnAccounts(tx: Tx, orders: readonly OrderRow[]): Promise<string[]> {
  const keys = [...new Set(orders.map(({ iban }) => toAccountKey(iban)))]
  const rows = await tx
    .select({ account: bankAccounts.account })
    .from(bankAccounts)
    .where(inArray(bankAccounts.accountKey, keys))
  return rows.map(({ account }) => account)
}

/** Weighs up a credit and the orders that it is to pay, for each member by itself. */
export async function judgePayment(
  tx: Tx,
  stored: StoredLine,
  orders: readonly OrderRow[],
  { feeTolerance }: Pick<PolicyRow, 'feeTolerance'>,
): Promise<PaymentJudgement[]> {
  if (orders.length === 0) return []
  const line = { ...stored.line, amount: fromUnits(getLeft(stored)) }
  const memberIds = [...new Set(orders.map(({ memberId }) => memberId))]
  const people = await readMembers(tx, memberIds)
  const world = new MemoryWorld({
    orders: orders.map((order) => ({ ...order, isPaidByHand: isPaidByHand(order) })),
    members: people,
    accounts: await findPayerAccounts(tx, line.counterparty.iban, memberIds),
    ownAccounts: await readOwnAccounts(tx, orders),
  })
  const reading = readLine(line, world, { account: stored.account, feeTolerance })
  return people.map((member): PaymentJudgement => {
    const meant = orders.filter(({ memberId }) => memberId === member.id)
    const candidate = judgeOrders(reading, meant, member)
    const isThirdParty = candidate.flags.includes('third_party')
    const name = [member.firstName, member.lastName].filter(Boolean).join(' ') || member.id
    return {
      orderIds: meant.map(({ id }) => id),
      evidence: describeCandidate(candidate),
      isThirdParty,
      payerDiffers: isThirdParty ? buildPayerError(candidate, stored, name) : null,
    }
  })
}

/** What is stored of a candidate with the parts that are decided by it. */
export const describeCandidate = ({ points, outcome, flags, reasons }: Candidate): BankPart['evidence'] => ({
  score: Math.max(0, Math.min(points, 100)),
  outcome,
  flags,
  reasons: reasons.map(showReason),
})

/** The refusal of money that another person than the member paid, without a reason. */
export function buildPayerError({ payer }: Candidate, { line }: StoredLine, member: string): AppError {
  const [name] = getPayerNames(line)
  const differs =
    payer?.isOthersAccount && payer.score >= sameName
      ? `The account of this payment belongs to another member than ${member}`
      : `${name ?? line.counterparty.iban} is not ${member}`
  return new AppError('payer_differs', `${differs}: give a reason to take this payment`)
}
