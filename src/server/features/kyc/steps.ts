import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { auditAll } from '#server/audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { unknownMember, type Outcome } from '#server/upsert.ts'
import { lockKycMembers, readDocuments, writeAttempts, writeKycMembers } from './attempt-rows.ts'
import { applyAttempt, type Attempt, type KycItem, type KycMember, type Rules } from './attempt.ts'
import { decisionEntry } from './decision-entry.ts'
import { nextMembershipIds } from './membership.ts'

/**
 * Takes KYC steps, submissions and imported decisions (PRODUCT section 4), each item as if served alone and in order.
 * Nothing is sent to the provider, and no event tells the platform what it said itself. Each decision is an audit row.
 */
export async function saveKycAttempts(tx: Tx, ctx: Ctx, items: readonly KycItem[]): Promise<Outcome[]> {
  const members = await lockKycMembers(
    tx,
    items.map((item) => item.memberId),
  )
  const rules = await readRules(tx, ctx, items)
  const decisions: ImportedDecision[] = []
  const dirty = new Map<string, { memberId: string; attempt: Attempt }>()
  const outcomes = items.map((item): Outcome => {
    const member = members.get(item.memberId)
    if (!member) return unknownMember(item.memberId)
    const kycStatus = member.facts.kycStatus
    const wasDecided = verificationOf(member, item)?.decidedAt
    const outcome = applyAttempt(member, item, rules)
    if (item.decision && verificationOf(member, item)?.decidedAt !== wasDecided)
      decisions.push({
        member,
        item,
        decision: item.decision,
        before: { kycStatus, membershipId: member.membershipId },
      })
    if (outcome === 'created' || outcome === 'updated')
      dirty.set(`${item.memberId}/${item.attempt}`, {
        memberId: item.memberId,
        attempt: member.attempts.get(item.attempt)!,
      })
    return outcome
  })
  const touched = [...new Set([...dirty.values()].map(({ memberId }) => memberId))].map((id) => members.get(id)!)
  await assignMembershipIds(tx, touched)
  await auditAll(tx, ctx, decisions.map(asEntry))
  await writeAttempts(tx, [...dirty.values()])
  await writeKycMembers(tx, touched)
  return outcomes
}

interface ImportedDecision {
  member: KycMember
  item: KycItem
  decision: NonNullable<KycItem['decision']>
  before: Pick<KycMember, 'membershipId'> & Pick<KycMember['facts'], 'kycStatus'>
}

const verificationOf = (member: KycMember, { attempt }: KycItem) => member.attempts.get(attempt)?.verification

function asEntry({ member, item, decision, before }: ImportedDecision) {
  const { result, decidedAt } = decision
  const isApproved = result === 'approved'
  return decisionEntry(isApproved ? 'approve_kyc' : 'reject_kyc', member.id, {
    attempt: item.attempt,
    reason: isApproved ? null : (decision.reason ?? null),
    decidedAt,
    before,
    after: { kycStatus: result, membershipId: isApproved ? member.membershipId : before.membershipId },
  })
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
