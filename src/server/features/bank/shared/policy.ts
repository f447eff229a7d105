import { and, eq, sql } from 'drizzle-orm'
import type { BankPolicy, PolicyChange } from '#contract/schemas/bank-policy.ts'
import { announce, audit } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { bankPolicy } from '#server/db/tables/bank-allocations.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import { AppError, formatInstant, requireVersion } from '#server/lib/errors.ts'

export type PolicyRow = typeof bankPolicy.$inferSelect

/** The reconciliation policy as it is stored: there is always one (product 7.11). */
export async function readPolicyRow(db: Db | Tx): Promise<PolicyRow> {
  const [row] = await db.select().from(bankPolicy)
  return row!
}

const listRules = (policy: PolicyRow): PolicyChange => ({
  autoApply: policy.autoApply,
  autoCombined: policy.autoCombined,
  autoRemainder: policy.autoRemainder,
  payerName: policy.payerName,
  feeTolerance: policy.feeTolerance,
  graceDays: policy.graceDays,
  overpaidUpTo: policy.overpaidUpTo,
  reasonForThirdParty: policy.reasonForThirdParty,
  maxAutoAmount: policy.maxAutoAmount,
})

/** What proposals look at: whether lines fit exactly without regard to `autoApply`, and what a fee may take. */
const scoringRules = ['autoCombined', 'autoRemainder', 'payerName', 'maxAutoAmount', 'feeTolerance'] as const

/** By line. A decision that was undone later speaks against the policy that would have made it, too. */
async function countConfirmed(db: Db | Tx): Promise<BankPolicy['confirmed']> {
  const { rows } = await db.execute<BankPolicy['confirmed']>(sql`
    SELECT (count(*) FILTER (WHERE is_right))::int AS right, count(*)::int AS total FROM (
      SELECT bool_and(policy_verdict = 'same' AND (undone_at IS NULL OR undone_with IS NOT NULL)) AS is_right FROM bank_allocations
      WHERE policy_verdict IN ('same', 'other') GROUP BY line_id) lines`)
  return rows[0]!
}

const toBankPolicy = async (db: Db | Tx, policy: PolicyRow): Promise<BankPolicy> => ({
  ...listRules(policy),
  version: policy.version,
  changedBy: policy.changedBy,
  changedAt: policy.changedAt,
  confirmed: await countConfirmed(db),
})

export const readPolicy = async ({ database: { db } }: Ctx): Promise<BankPolicy> =>
  toBankPolicy(db, await readPolicyRow(db))

const tidyAmount = (amount: string) => fromUnits(toUnits(amount))

/** Changes the policy (product 7.11). Throws stale. */
export const savePolicy = (ctx: Ctx, given: PolicyChange, ifMatch: number | undefined): Promise<BankPolicy> =>
  inTransaction(ctx, async (tx) => {
    const [before] = await tx.select().from(bankPolicy).where(eq(bankPolicy.id, 1)).for('no key update')
    requireVersion(ifMatch, before!.version, () => staleError(before!))
    const change: PolicyChange = {
      ...given,
      feeTolerance: tidyAmount(given.feeTolerance),
      overpaidUpTo: tidyAmount(given.overpaidUpTo),
      maxAutoAmount: given.maxAutoAmount && tidyAmount(given.maxAutoAmount),
    }
    if (JSON.stringify(listRules({ ...before!, ...change })) === JSON.stringify(listRules(before!)))
      return toBankPolicy(tx, before!)
    const [after] = await tx
      .update(bankPolicy)
      .set({
        ...change,
        version: before!.version + 1,
        changedBy: adminOf(ctx).name,
        changedAt: sql`now()`,
        // Without `refreshedTo` all lines get a fresh proposal.
        ...(scoringRules.some((rule) => change[rule] !== before![rule]) && { refreshedTo: null }),
      })
      .where(eq(bankPolicy.id, 1))
      .returning()
    const details = { before: listRules(before!), after: listRules(after!) }
    await audit(tx, ctx, { action: 'set_bank_policy', target: { type: 'bank_policy', id: '1' }, details })
    await announce(tx, 'bank')
    return toBankPolicy(tx, after!)
  })

/** Has the proposals of all lines refreshed, where what they were for is gone. */
export const requestFullRefresh = (tx: Tx) => tx.update(bankPolicy).set({ refreshedTo: null })

/** Stores up to which transaction proposals are refreshed. Not where an undo or a change asked for a full refresh since `read`. */
export const saveRefreshedTo = (tx: Tx, read: PolicyRow, refreshedTo: string) =>
  tx
    .update(bankPolicy)
    .set({ refreshedTo })
    .where(
      and(
        eq(bankPolicy.version, read.version),
        sql`${bankPolicy.refreshedTo} IS NOT DISTINCT FROM ${read.refreshedTo}`,
      ),
    )

function staleError({ version, changedBy, changedAt }: PolicyRow): AppError {
  const who = changedBy && changedAt ? `, by ${changedBy} on ${formatInstant(changedAt)}` : ''
  return new AppError('stale', `The policy was changed meanwhile${who}. Look again and decide.`, {
    details: { version },
  })
}
