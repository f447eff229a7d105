import { randomBytes } from 'node:crypto'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { erasedMemberError, unknownMemberError, type Outcome } from '#server/core/upsert.ts'
import { lockKycMembers, readDocuments } from './attempt-rows.ts'
import type { Attempt, KycMember } from './attempt-state.ts'
import { applyAttempt, type KycItem, type AttemptRules } from './attempt.ts'
import type { MemberDecision } from './decision.ts'
import { transactionTime, writeKyc } from './write-kyc.ts'

/**
 * Saves KYC steps, submissions and imported decisions (product 10.3), as if each item was sent alone and in order.
 * Sends nothing to the provider, and no event, because the platform knows what it sent. Writes an audit row per
 * decision. Calls (`isImport` false) must continue with the next attempt.
 */
export async function saveKycAttempts(
  tx: Tx,
  ctx: Ctx,
  items: readonly KycItem[],
  isImport = true,
): Promise<Outcome[]> {
  const members = await lockKycMembers(
    tx,
    items.map((item) => item.memberId),
  )
  const decisions: MemberDecision[] = []
  const rules = { ...(await readRules(tx, ctx, items)), isImport, decisions }
  const touched = new Set<KycMember>()
  const dirty = new Map<string, { memberId: string; attempt: Attempt }>()
  const outcomes = items.map((item): Outcome => {
    const member = members.get(item.memberId)
    if (!member) return unknownMemberError(item.memberId)
    if (member.isErased) return erasedMemberError(item.memberId)
    const before = new Map(member.attempts)
    const outcome = applyAttempt(member, item, rules)
    if (outcome !== 'created' && outcome !== 'updated') return outcome
    touched.add(member)
    // Submitting an attempt also closes earlier attempts that still wait.
    for (const [number, attempt] of member.attempts)
      if (attempt !== before.get(number)) dirty.set(`${member.id}/${number}`, { memberId: member.id, attempt })
    return outcome
  })
  await writeKyc(tx, ctx, { members: [...touched], attempts: [...dirty.values()], decisions })
  return outcomes
}

async function readRules(
  tx: Tx,
  ctx: Ctx,
  items: readonly KycItem[],
): Promise<Omit<AttemptRules, 'isImport' | 'decisions'>> {
  const keys = items.flatMap(({ step3, step4 }) =>
    [step3?.frontDocumentPath, step3?.backDocumentPath, step4?.selfiePath].filter((key) => typeof key === 'string'),
  )
  const documents = await readDocuments(tx, keys)
  return {
    now: await transactionTime(tx),
    statusOnSubmit: ctx.config.kycWebhookUrl ? 'submitted' : 'under_review',
    newCaseId: () => `case_${randomBytes(8).toString('hex')}`,
    isDocument: (key, memberId, kind) => documents.has(`${memberId}/${kind}/${key}`),
  }
}
