import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { auditAll } from '#server/audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { unknownMember, type Outcome } from '#server/upsert.ts'
import { releaseClosedCases, lockKycMembers, readDocuments, writeAttempts, writeKycMembers } from './attempt-rows.ts'
import type { Attempt, KycMember } from './attempt-state.ts'
import { applyAttempt, type KycItem, type Rules } from './attempt.ts'
import { decisionEntry } from './decision-entry.ts'
import { nextMembershipIds } from './membership.ts'

/** An import may leave out numbers that the platform gave and nobody handed in, a few at a time. */
const mostAheadOfImports = 10

/**
 * Takes KYC steps, submissions and imported decisions (PRODUCT section 4), each item as if served alone and in order.
 * Nothing is sent to the provider, and no event tells the platform what it said itself. Each decision is an audit row.
 * `mostAhead`: how far beyond a member's latest attempt a new one may be.
 */
export async function saveKycAttempts(
  tx: Tx,
  ctx: Ctx,
  items: readonly KycItem[],
  mostAhead = mostAheadOfImports,
): Promise<Outcome[]> {
  const members = await lockKycMembers(
    tx,
    items.map((item) => item.memberId),
  )
  const rules = { ...(await readRules(tx, ctx, items)), mostAhead }
  const decisions: ImportedDecision[] = []
  const touched = new Set<KycMember>()
  const dirty = new Map<string, { memberId: string; attempt: Attempt }>()
  const outcomes = items.map((item): Outcome => {
    const member = members.get(item.memberId)
    if (!member) return unknownMember(item.memberId)
    const kycStatus = member.facts.kycStatus
    const before = new Map(member.attempts)
    const wasDecided = verificationOf(member, item)?.decidedAt
    const outcome = applyAttempt(member, item, rules)
    if (outcome !== 'created' && outcome !== 'updated') return outcome
    touched.add(member)
    // Beside its own attempt, an item closes the earlier ones that still wait.
    for (const [number, attempt] of member.attempts)
      if (attempt !== before.get(number)) dirty.set(`${member.id}/${number}`, { memberId: member.id, attempt })
    if (item.decision && verificationOf(member, item)?.decidedAt !== wasDecided)
      decisions.push({
        member,
        item,
        decision: item.decision,
        before: { kycStatus, membershipId: member.membershipId },
      })
    return outcome
  })
  await assignMembershipIds(tx, [...touched])
  await auditAll(tx, ctx, decisions.map(asEntry))
  const changes = [...dirty.values()]
  await writeAttempts(tx, changes)
  const closed = changes.filter(({ attempt }) => attempt.verification && attempt.verification.status !== 'pending')
  if (closed.length > 0)
    await releaseClosedCases(
      tx,
      closed.map(({ memberId }) => memberId),
    )
  await writeKycMembers(tx, [...touched])
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

async function readRules(tx: Tx, ctx: Ctx, items: readonly KycItem[]): Promise<Omit<Rules, 'mostAhead'>> {
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
