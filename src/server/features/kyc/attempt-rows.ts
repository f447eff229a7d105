import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { recordset, textArray } from '#server/core/upsert.ts'
import { emptyAttempt, type Attempt, type KycFacts, type KycMember } from './attempt-state.ts'

type MemberRow = { [Name in keyof KycFacts]: KycFacts[Name] } & {
  id: string
  membershipId: string | null
  version: number
}
type Part = 'step2' | 'step3' | 'step4' | 'submission' | 'verification'
/** One part of an attempt; its instants are still as PostgreSQL prints them. */
type PartRow = {
  memberId: string
  attemptNumber: number
  part: Part
  value: { submittedAt: string; decidedAt?: string | null }
}

const asInstant = (value: string | null) => value && toInstant(value)

/** These members with all their attempts; their rows are locked until the transaction ends. */
export async function lockKycMembers(tx: Tx, ids: Iterable<string>): Promise<Map<string, KycMember>> {
  const members = await tx.execute<MemberRow>(sql`
    SELECT id, membership_id AS "membershipId", version, kyc_status AS "kycStatus",
      kyc_current_step AS "kycCurrentStep", kyc_document_type AS "kycDocumentType",
      kyc_submission_count AS "kycSubmissionCount", kyc_submitted_at AS "kycSubmittedAt",
      kyc_front_document AS "kycFrontDocument", kyc_back_document AS "kycBackDocument", kyc_selfie AS "kycSelfie",
      kyc_rejection_reason AS "kycRejectionReason", kyc_admin_notes AS "kycAdminNotes",
      kyc_decided_attempt AS "kycDecidedAttempt", kyc_decided_by AS "kycDecidedBy", kyc_decided_at AS "kycDecidedAt"
    FROM members WHERE id = ANY(${textArray(ids)}) ORDER BY id FOR NO KEY UPDATE`)
  const found = new Map<string, KycMember>()
  for (const { id, membershipId, version, ...row } of members.rows) {
    const facts = { ...row, kycSubmittedAt: asInstant(row.kycSubmittedAt), kycDecidedAt: asInstant(row.kycDecidedAt) }
    found.set(id, { id, membershipId, version, facts, attempts: new Map() })
  }
  for (const { memberId, attemptNumber, part, value } of await readParts(tx, [...found.keys()])) {
    const { attempts } = found.get(memberId)!
    const attempt = attempts.get(attemptNumber) ?? emptyAttempt(attemptNumber)
    attempts.set(attemptNumber, { ...attempt, [part]: withInstants(value) })
  }
  return found
}

function withInstants({ submittedAt, decidedAt, ...rest }: PartRow['value']) {
  return {
    ...rest,
    submittedAt: toInstant(submittedAt),
    ...(decidedAt !== undefined && { decidedAt: asInstant(decidedAt) }),
  }
}

/** One statement, one index scan a table. */
async function readParts(tx: Tx, ids: string[]): Promise<PartRow[]> {
  const of = (part: Part, table: SQL, fields: SQL) => sql`
    SELECT member_id AS "memberId", attempt_number AS "attemptNumber", ${part}::text AS part,
      json_build_object('submittedAt', submitted_at, ${fields}) AS value
    FROM ${table} WHERE member_id = ANY(${textArray(ids)})`
  const parts = [
    of(
      'step2',
      sql`kyc_step2`,
      sql`'status', status, 'dateOfBirth', date_of_birth, 'nationality', nationality,
      'countryOfResidence', country_of_residence`,
    ),
    of(
      'step3',
      sql`kyc_step3`,
      sql`'status', status, 'documentType', document_type,
      'frontDocumentPath', front_document, 'backDocumentPath', back_document`,
    ),
    of('step4', sql`kyc_step4`, sql`'status', status, 'selfiePath', selfie`),
    of(
      'submission',
      sql`kyc_submissions`,
      sql`'result', result, 'autoProcessed', auto_processed, 'caseId', case_id, 'version', version`,
    ),
    of(
      'verification',
      sql`kyc_verifications`,
      sql`'status', status, 'rejectionReason', rejection_reason, 'adminNotes', admin_notes, 'word',
      CASE WHEN provider_result IS NOT NULL THEN json_build_object('providerResult', provider_result, 'providerReason',
        provider_reason, 'providerResultAt', provider_result_at, 'kycScore', kyc_score) END,
      'decidedBy', decided_by, 'decidedAt', decided_at, 'version', version`,
    ),
  ]
  return (await tx.execute<PartRow>(sql.join(parts, sql` UNION ALL `))).rows
}

/** Which of these document keys exist, and whose they are. */
export async function readDocuments(tx: Tx, keys: Iterable<string>): Promise<Set<string>> {
  const found = await tx.execute<{ key: string; memberId: string; kind: string }>(sql`
    SELECT key, member_id AS "memberId", kind FROM documents WHERE key = ANY(${textArray(keys)})`)
  return new Set(found.rows.map((row) => `${row.memberId}/${row.kind}/${row.key}`))
}

/** Writes what changed: one statement a table. The members' locks keep everyone else out. */
export async function writeAttempts(tx: Tx, changes: readonly { memberId: string; attempt: Attempt }[]): Promise<void> {
  const parts = <Name extends 'step2' | 'step3' | 'step4' | 'submission' | 'verification'>(name: Name) =>
    changes.flatMap(({ memberId, attempt }) =>
      attempt[name] ? [{ memberId, attemptNumber: attempt.attemptNumber, ...attempt[name] }] : [],
    )
  const [step2, step3, step4, submissions] = [parts('step2'), parts('step3'), parts('step4'), parts('submission')]
  const step = sql`"memberId" text, "attemptNumber" int, status text, "submittedAt" timestamptz`
  const onConflict = sql`ON CONFLICT (member_id, attempt_number) DO UPDATE SET`
  if (step2.length > 0)
    await tx.execute(sql`
      INSERT INTO kyc_step2
        (member_id, attempt_number, status, submitted_at, date_of_birth, nationality, country_of_residence)
      SELECT * FROM ${recordset(step2)}
        AS r(${step}, "dateOfBirth" date, nationality text, "countryOfResidence" text) ORDER BY 4, 1, 2
      ${onConflict} status = excluded.status, submitted_at = excluded.submitted_at,
        date_of_birth = excluded.date_of_birth, nationality = excluded.nationality,
        country_of_residence = excluded.country_of_residence`)
  if (step3.length > 0)
    await tx.execute(sql`
      INSERT INTO kyc_step3
        (member_id, attempt_number, status, submitted_at, document_type, front_document, back_document)
      SELECT * FROM ${recordset(step3)}
        AS r(${step}, "documentType" text, "frontDocumentPath" text, "backDocumentPath" text) ORDER BY 4, 1, 2
      ${onConflict} status = excluded.status, submitted_at = excluded.submitted_at,
        document_type = excluded.document_type, front_document = excluded.front_document,
        back_document = excluded.back_document`)
  if (step4.length > 0)
    await tx.execute(sql`
      INSERT INTO kyc_step4 (member_id, attempt_number, status, submitted_at, selfie)
      SELECT * FROM ${recordset(step4)} AS r(${step}, "selfiePath" text) ORDER BY 4, 1, 2
      ${onConflict} status = excluded.status, submitted_at = excluded.submitted_at, selfie = excluded.selfie`)
  if (submissions.length > 0)
    await tx.execute(sql`
      INSERT INTO kyc_submissions (member_id, attempt_number, result, case_id, submitted_at, version, auto_processed)
      SELECT * FROM ${recordset(submissions)} AS r("memberId" text, "attemptNumber" int, result text, "caseId" text,
        "submittedAt" timestamptz, version int, "autoProcessed" boolean) ORDER BY 5, 1, 2
      ${onConflict} result = excluded.result, version = excluded.version, auto_processed = excluded.auto_processed`)
  await writeVerifications(tx, changes)
}

async function writeVerifications(tx: Tx, changes: readonly { memberId: string; attempt: Attempt }[]) {
  const rows = changes.flatMap(({ memberId, attempt: { attemptNumber, verification, step2, step3 } }) =>
    verification
      ? [
          {
            memberId,
            attemptNumber,
            ...verification,
            ...verification.word,
            word: undefined,
            documentType: step3?.documentType,
            nationality: step2?.nationality,
          },
        ]
      : [],
  )
  if (rows.length === 0) return
  await tx.execute(sql`
    INSERT INTO kyc_verifications (member_id, attempt_number, status, document_type, nationality, rejection_reason,
      decided_by, decided_at, submitted_at, version, admin_notes, provider_result, provider_reason, provider_result_at,
      kyc_score)
    SELECT * FROM ${recordset(rows)} AS r("memberId" text, "attemptNumber" int, status text, "documentType" text,
      nationality text, "rejectionReason" text, "decidedBy" text, "decidedAt" timestamptz, "submittedAt" timestamptz,
      version int, "adminNotes" text, "providerResult" text, "providerReason" text, "providerResultAt" timestamptz,
      "kycScore" int) ORDER BY 9, 1, 2
    ON CONFLICT (member_id, attempt_number) DO UPDATE SET status = excluded.status,
      rejection_reason = excluded.rejection_reason, decided_by = excluded.decided_by,
      decided_at = excluded.decided_at, version = excluded.version, admin_notes = excluded.admin_notes,
      provider_result = excluded.provider_result, provider_reason = excluded.provider_reason,
      provider_result_at = excluded.provider_result_at, kyc_score = coalesce(excluded.kyc_score, kyc_verifications.kyc_score)`)
}

/**
 * Nobody has a case open any more that no longer waits, and the queue does not send it to the provider. The members' locks
 * keep everyone else out.
 */
export async function releaseClosedCases(tx: Tx, memberIds: Iterable<string>): Promise<void> {
  await tx.execute(sql`
    UPDATE messages d SET state = 'failed', next_try_at = NULL, last_failed_at = NULL
    FROM kyc_submissions s
    WHERE d.channel = 'kyc' AND d.entity_id = ANY(${textArray(memberIds)}) AND d.state IN ('waiting', 'failed')
      AND s.member_id = d.entity_id AND s.attempt_number = d.attempt_number AND s.result <> 'under_review'`)
  await tx.execute(sql`
    DELETE FROM kyc_claims c USING kyc_verifications v
    WHERE v.id = c.verification_id AND v.member_id = ANY(${textArray(memberIds)}) AND v.status <> 'pending'`)
}

export async function writeKycMembers(tx: Tx, members: readonly KycMember[]): Promise<void> {
  if (members.length === 0) return
  const rows = members.map(({ id, membershipId, version, facts }) => ({ id, membershipId, version, ...facts }))
  await tx.execute(sql`
    UPDATE members AS m SET membership_id = r."membershipId", version = r.version, kyc_status = r."kycStatus",
      kyc_current_step = r."kycCurrentStep", kyc_document_type = r."kycDocumentType",
      kyc_submission_count = r."kycSubmissionCount", kyc_submitted_at = r."kycSubmittedAt",
      kyc_front_document = r."kycFrontDocument", kyc_back_document = r."kycBackDocument", kyc_selfie = r."kycSelfie",
      kyc_rejection_reason = r."kycRejectionReason", kyc_admin_notes = r."kycAdminNotes",
      kyc_decided_attempt = r."kycDecidedAttempt", kyc_decided_by = r."kycDecidedBy", kyc_decided_at = r."kycDecidedAt"
    FROM ${recordset(rows)} AS r(id text, "membershipId" text, version int, "kycStatus" text, "kycCurrentStep" int,
      "kycDocumentType" text, "kycSubmissionCount" int, "kycSubmittedAt" timestamptz, "kycFrontDocument" text,
      "kycBackDocument" text, "kycSelfie" text, "kycRejectionReason" text, "kycAdminNotes" text,
      "kycDecidedAttempt" int, "kycDecidedBy" text, "kycDecidedAt" timestamptz)
    WHERE m.id = r.id`)
}
