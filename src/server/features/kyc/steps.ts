import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { unknownMember, type Outcome } from '#server/upsert.ts'
import { lockKycMembers, readDocuments, writeAttempts, writeKycMembers } from './attempt-rows.ts'
import { applyAttempt, type Attempt, type KycItem, type KycMember, type Rules } from './attempt.ts'
import { nextMembershipIds } from './membership.ts'

/**
 * Takes KYC steps, submissions and imported decisions (PRODUCT section 4), each item as if served alone and in order.
 * Nothing is sent to the provider, and no event tells the platform what it said itself.
 */
export async function saveKycAttempts(tx: Tx, ctx: Ctx, items: readonly KycItem[]): Promise<Outcome[]> {
  const members = await lockKycMembers(
    tx,
    items.map((item) => item.memberId),
  )
  const rules = await readRules(tx, ctx, items)
  const dirty = new Map<string, { memberId: string; attempt: Attempt }>()
  const outcomes = items.map((item): Outcome => {
    const member = members.get(item.memberId)
    if (!member) return unknownMember(item.memberId)
    const outcome = applyAttempt(member, item, rules)
    if (outcome === 'created' || outcome === 'updated')
      dirty.set(`${item.memberId}/${item.attempt}`, {
        memberId: item.memberId,
        attempt: member.attempts.get(item.attempt)!,
      })
    return outcome
  })
  const touched = [...new Set([...dirty.values()].map(({ memberId }) => memberId))].map((id) => members.get(id)!)
  await assignMembershipIds(tx, touched)
  await writeAttempts(tx, [...dirty.values()])
  await writeKycMembers(tx, touched)
  return outcomes
}

async function readRules(tx: Tx, ctx: Ctx, items: readonly KycItem[]): Promise<Rules> {
  const keys = items.flatMap(({ step3, step4 }) =>
    [step3?.frontDocumentPath, step3?.backDocumentPath, step4?.selfiePath].filter((key) => key !== undefined),
  )
  const documents = await readDocuments(tx, keys)
  const clock = await tx.execute<{ now: string }>(sql`SELECT now() AS now`)
  return {
    now: toInstant(clock.rows[0]!.now),
    statusOnSubmit: ctx.config.kycWebhookUrl ? 'submitted' : 'under_review',
    newCaseId: () => `case_${randomBytes(8).toString('hex')}`,
    isDocument: (key, memberId, kind) => documents.has(`${memberId}/${kind}/${key}`),
  }
}

/** A membership id once, for ever, in the order of the decisions (PRODUCT 3.11). */
async function assignMembershipIds(tx: Tx, members: readonly KycMember[]) {
  const approved = members
    .filter((member) => member.facts.kycStatus === 'approved' && member.membershipId === null)
    .toSorted((one, other) => (one.facts.kycDecidedAt ?? '').localeCompare(other.facts.kycDecidedAt ?? ''))
  if (approved.length === 0) return
  const ids = await nextMembershipIds(tx, approved.length)
  for (const [at, member] of approved.entries()) member.membershipId = ids[at]!
}
