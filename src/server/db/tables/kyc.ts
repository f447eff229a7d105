import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { documentKinds, providerResults, stepStatuses, submissionResults, verificationStatuses } from '#contract/kyc.ts'
import { bits256, bytes, createdAt, identity, instant, oneOf, version } from '#server/db/columns.ts'
import { admins } from './auth.ts'
import { members } from './members.ts'

const memberId = () =>
  text('member_id')
    .notNull()
    .references(() => members.id, { onDelete: 'cascade' })

/** What each step of an attempt has in common. */
const step = () => ({
  id: identity(),
  memberId: memberId(),
  attemptNumber: integer('attempt_number').notNull(),
  status: text('status', { enum: stepStatuses }).notNull().default('draft'),
  submittedAt: instant('submitted_at')
    .notNull()
    .default(sql`now()`),
})

export const kycStep2 = pgTable(
  'kyc_step2',
  {
    ...step(),
    dateOfBirth: date('date_of_birth', { mode: 'string' }).notNull(),
    nationality: text('nationality').notNull(),
    countryOfResidence: text('country_of_residence').notNull(),
  },
  (t) => [
    unique('kyc_step2_attempt').on(t.memberId, t.attemptNumber),
    index('kyc_step2_walk').on(t.submittedAt, t.id),
    index('kyc_step2_status').on(t.status, t.submittedAt, t.id),
    // Who else was born on that day.
    index('kyc_step2_birth').on(t.dateOfBirth, t.memberId),
    check('kyc_step2_status_known', oneOf(t.status, stepStatuses)),
  ],
)

export const kycStep3 = pgTable(
  'kyc_step3',
  {
    ...step(),
    documentType: text('document_type').notNull(),
    frontDocument: text('front_document').notNull(),
    backDocument: text('back_document'),
  },
  (t) => [
    unique('kyc_step3_attempt').on(t.memberId, t.attemptNumber),
    index('kyc_step3_walk').on(t.submittedAt, t.id),
    index('kyc_step3_status').on(t.status, t.submittedAt, t.id),
    check('kyc_step3_status_known', oneOf(t.status, stepStatuses)),
  ],
)

export const kycStep4 = pgTable('kyc_step4', { ...step(), selfie: text('selfie').notNull() }, (t) => [
  unique('kyc_step4_attempt').on(t.memberId, t.attemptNumber),
  index('kyc_step4_walk').on(t.submittedAt, t.id),
  index('kyc_step4_status').on(t.status, t.submittedAt, t.id),
  check('kyc_step4_status_known', oneOf(t.status, stepStatuses)),
])

/** One row a submitted attempt: the submission history (product 6.3). */
export const kycSubmissions = pgTable(
  'kyc_submissions',
  {
    id: identity(),
    memberId: memberId(),
    attemptNumber: integer('attempt_number').notNull(),
    result: text('result', { enum: submissionResults }).notNull().default('under_review'),
    autoProcessed: boolean('auto_processed').notNull().default(false),
    caseId: text('case_id').notNull(),
    submittedAt: instant('submitted_at').notNull(),
    version: version(),
  },
  (t) => [
    unique('kyc_submissions_attempt').on(t.memberId, t.attemptNumber),
    unique('kyc_submissions_case').on(t.caseId),
    index('kyc_submissions_walk').on(t.submittedAt, t.id),
    index('kyc_submissions_result').on(t.result, t.submittedAt, t.id),
    check('kyc_submissions_result_known', oneOf(t.result, submissionResults)),
  ],
)

/** What a submitted attempt is judged on; reviewed once. */
export const kycVerifications = pgTable(
  'kyc_verifications',
  {
    id: identity(),
    memberId: memberId(),
    attemptNumber: integer('attempt_number').notNull(),
    status: text('status', { enum: verificationStatuses }).notNull().default('pending'),
    kycScore: integer('kyc_score'),
    /** What the KYC provider said last of this attempt, no matter who decides. */
    providerResult: text('provider_result', { enum: providerResults }),
    providerReason: text('provider_reason'),
    providerResultAt: instant('provider_result_at'),
    documentType: text('document_type'),
    nationality: text('nationality'),
    rejectionReason: text('rejection_reason'),
    adminNotes: text('admin_notes'),
    decidedBy: text('decided_by'),
    decidedAt: instant('decided_at'),
    submittedAt: instant('submitted_at').notNull(),
    version: version(),
  },
  (t) => [
    unique('kyc_verifications_attempt').on(t.memberId, t.attemptNumber),
    index('kyc_verifications_walk').on(t.submittedAt, t.id),
    index('kyc_verifications_status').on(t.status, t.submittedAt, t.id),
    index('kyc_verifications_decided')
      .on(t.decidedAt, t.submittedAt)
      .where(sql`decided_at IS NOT NULL`),
    check('kyc_verifications_status_known', oneOf(t.status, verificationStatuses)),
    check('kyc_verifications_provider_result_known', oneOf(t.providerResult, providerResults)),
    check('kyc_verifications_score_range', sql`${t.kycScore} BETWEEN 0 AND 100`),
  ],
)

/** Who has a waiting case open in review mode, and until when. A lease that has run out binds nobody. */
export const kycClaims = pgTable(
  'kyc_claims',
  {
    verificationId: bigint('verification_id', { mode: 'string' })
      .primaryKey()
      .references(() => kycVerifications.id, { onDelete: 'cascade' }),
    adminId: bigint('admin_id', { mode: 'string' })
      .notNull()
      .references(() => admins.id, { onDelete: 'cascade' }),
    claimedUntil: instant('claimed_until').notNull(),
  },
  (t) => [index('kyc_claims_admin').on(t.adminId)],
)

/** Waiting cases that an operator has put aside for a colleague, and why. */
export const kycAnotherLooks = pgTable(
  'kyc_another_looks',
  {
    verificationId: bigint('verification_id', { mode: 'string' })
      .primaryKey()
      .references(() => kycVerifications.id, { onDelete: 'cascade' }),
    adminId: bigint('admin_id', { mode: 'string' })
      .notNull()
      .references(() => admins.id),
    note: text('note').notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('kyc_another_looks_admin').on(t.adminId)],
)

/** What the document store holds. `key` is the `documentPath` of product 6.4; it never names a file. */
export const documents = pgTable(
  'documents',
  {
    key: text('key').primaryKey(),
    memberId: memberId(),
    kind: text('kind', { enum: documentKinds }).notNull(),
    /** SHA-256 of the bytes as uploaded: the same upload finds its key again. */
    uploadHash: bytes('upload_hash').notNull(),
    /** The SHA-256 of the stored, re-encoded file, by which the store finds it. */
    storedHash: bytes('stored_hash').notNull(),
    byteSize: integer('byte_size').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: createdAt(),
    /** What the picture looks like. The index `documents_picture_bands` finds those that look the same. */
    pictureHash: bits256('picture_hash'),
    /** When a hash was tried in vain: the file is lost or damaged, or of one colour. */
    hashFailedAt: instant('hash_failed_at'),
  },
  (t) => [
    uniqueIndex('documents_upload').on(t.memberId, t.kind, t.uploadHash),
    index('documents_stored').on(t.storedHash),
    index('documents_unhashed')
      .on(t.createdAt, t.key)
      .where(sql`picture_hash IS NULL AND hash_failed_at IS NULL`),
    check('documents_kind_known', oneOf(t.kind, documentKinds)),
  ],
)
