import { getColumnTable, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { jsonObject } from '#server/db/select.ts'
import { kycAnotherLooks, kycClaims } from '#server/db/tables/kyc.ts'
import { members } from '#server/db/tables/members.ts'
import { updateRows, upsertRows } from '#server/db/write.ts'
import { textArray } from '#server/db/parameters.ts'
import { closeCases } from '#server/features/messages/service.ts'
import { omit } from '#server/lib/omit.ts'
import { attemptKey as key, kycFactColumns, partColumns, writtenParts } from './attempt-columns.ts'
import { emptyAttempt, type Attempt, type KycMember } from './attempt-state.ts'
import { providerResultColumns } from './columns.ts'

/** Lists show attempts in this order. */
const insertOrder = ['submittedAt', ...key] as const
type Part = keyof typeof partColumns
const parts = Object.keys(partColumns) as Part[]

const memberColumns = { id: members.id, membershipId: members.membershipId, version: members.version }

/** Reads these members with all their attempts. Locks their rows until the transaction ends. */
export async function lockKycMembers(tx: Tx, ids: Iterable<string>): Promise<Map<string, KycMember>> {
  const locked = await tx
    .select({ ...memberColumns, erasedAt: members.erasedAt, ...kycFactColumns })
    .from(members)
    .where(sql`${members.id} = ANY(${textArray(ids)})`)
    .orderBy(members.id)
    .for('no key update')
  const found = new Map<string, KycMember>()
  for (const { id, membershipId, version, erasedAt, ...facts } of locked)
    found.set(id, { id, membershipId, version, isErased: erasedAt !== null, facts, attempts: new Map() })
  for (const { memberId, attemptNumber, part, value } of await readParts(tx, [...found.keys()])) {
    const { attempts } = found.get(memberId)!
    const attempt = attempts.get(attemptNumber) ?? emptyAttempt(attemptNumber)
    attempts.set(attemptNumber, { ...attempt, [part]: value })
  }
  return found
}

const providerResultSelect = `CASE WHEN provider_result IS NOT NULL THEN ${jsonObject(providerResultColumns, 'p')} END`

type PartRow = { memberId: string; attemptNumber: number; part: Part; value: object }

/** One statement, with one index scan per table. */
async function readParts(tx: Tx, ids: string[]): Promise<PartRow[]> {
  const read = parts.map((part) => {
    const whole = jsonObject(partColumns[part], 'p', part === 'verification' ? { result: providerResultSelect } : {})
    return sql`
      SELECT member_id AS "memberId", attempt_number AS "attemptNumber", ${part}::text AS part, ${sql.raw(whole)} AS value
      FROM ${getColumnTable(partColumns[part].submittedAt)} AS p WHERE member_id = ANY(${textArray(ids)})`
  })
  return (await tx.execute<PartRow>(sql.join(read, sql` UNION ALL `))).rows
}

/** Which of these documents exist, as `<member>/<kind>/<key>`. */
export async function readDocuments(tx: Tx, keys: Iterable<string>): Promise<Set<string>> {
  const found = await tx.execute<{ key: string; memberId: string; kind: string }>(sql`
    SELECT key, member_id AS "memberId", kind FROM documents WHERE key = ANY(${textArray(keys)})`)
  return new Set(found.rows.map((row) => `${row.memberId}/${row.kind}/${row.key}`))
}

interface AttemptChange {
  memberId: string
  attempt: Attempt
}

/** Writes the changed attempts, one statement per table. The caller holds the members' locks. */
export async function writeAttempts(tx: Tx, changes: readonly AttemptChange[]): Promise<void> {
  const rows = <Name extends Part>(name: Name) =>
    changes.flatMap(({ memberId, attempt }) =>
      attempt[name] ? [{ memberId, attemptNumber: attempt.attemptNumber, ...attempt[name] }] : [],
    )
  const { step2, step3, step4, submission, verification } = writtenParts
  await upsertRows(tx, step2, rows('step2'), { by: insertOrder, key, update: partColumns.step2 })
  await upsertRows(tx, step3, rows('step3'), { by: insertOrder, key, update: partColumns.step3 })
  await upsertRows(tx, step4, rows('step4'), { by: insertOrder, key, update: partColumns.step4 })
  const result = omit(partColumns.submission, ['caseId', 'submittedAt'])
  await upsertRows(tx, submission, rows('submission'), { by: insertOrder, key, update: result })
  const { kycScore, ...said } = providerResultColumns
  const judged = omit(partColumns.verification, ['submittedAt'])
  const update = { ...judged, ...said }
  await upsertRows(tx, verification, changes.flatMap(verificationRow), {
    by: insertOrder,
    key,
    update,
    keep: { kycScore },
  })
}

function verificationRow({ memberId, attempt: { attemptNumber, verification, step2, step3 } }: AttemptChange) {
  if (!verification) return []
  const { result, ...judged } = verification
  const { documentType } = step3 ?? {}
  const { nationality } = step2 ?? {}
  return [{ memberId, attemptNumber, ...judged, ...result, documentType, nationality }]
}

/**
 * Removes cases that no longer wait from the queue, the claims on them, and what asks for another look at them. The caller holds the members' locks.
 */
export async function releaseClosedCases(tx: Tx, memberIds: readonly string[]): Promise<void> {
  await closeCases(tx, memberIds)
  for (const table of [kycClaims, kycAnotherLooks])
    await tx.execute(sql`
      DELETE FROM ${table} c USING kyc_verifications v
      WHERE v.id = c.verification_id AND v.member_id = ANY(${textArray(memberIds)}) AND v.status <> 'pending'`)
}

export async function writeKycMembers(tx: Tx, changed: readonly KycMember[]): Promise<void> {
  const rows = changed.map(({ id, membershipId, version, facts }) => ({ id, membershipId, version, ...facts }))
  const { id, ...written } = { ...memberColumns, ...kycFactColumns }
  await updateRows(tx, { id }, written, rows)
}
