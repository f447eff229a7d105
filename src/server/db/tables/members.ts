import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { awaitingReview, kycStatuses, undecided } from '#contract/kyc.ts'
import { changedIn, createdAt, instant, oneOf, version } from '#server/db/columns.ts'

/**
 * The platform's members (product 6.2). The row has what a list shows or filters by. The KYC tables have the history of
 * each attempt. The indexes for reading pages and for searching need INCLUDE and operator classes, so they are in the
 * migration `search_indexes`.
 */
export const members = pgTable(
  'members',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull(),
    legalFirstName: text('legal_first_name'),
    legalLastName: text('legal_last_name'),
    legalPhone: text('legal_phone'),
    membershipId: text('membership_id').unique('members_membership_id'),
    kycStatus: text('kyc_status', { enum: kycStatuses }),
    kycCompleted: boolean('kyc_completed')
      .notNull()
      .generatedAlwaysAs(sql`(kyc_status IS NOT DISTINCT FROM 'approved')`),
    kycCurrentStep: integer('kyc_current_step').notNull().default(1),
    kycDocumentType: text('kyc_document_type'),
    kycSubmissionCount: integer('kyc_submission_count').notNull().default(0),
    kycSubmittedAt: instant('kyc_submitted_at'),
    kycFrontDocument: text('kyc_front_document'),
    kycBackDocument: text('kyc_back_document'),
    kycSelfie: text('kyc_selfie'),
    kycRejectionReason: text('kyc_rejection_reason'),
    /** The provider rejected for good: no further attempt is taken until an operator resets. */
    kycRejectedFinally: boolean('kyc_rejected_finally').notNull().default(false),
    kycAdminNotes: text('kyc_admin_notes'),
    kycDecidedAttempt: integer('kyc_decided_attempt'),
    kycDecidedBy: text('kyc_decided_by'),
    kycDecidedAt: instant('kyc_decided_at'),
    banned: boolean('banned').notNull().default(false),
    bannedReason: text('banned_reason'),
    bannedBy: text('banned_by'),
    bannedAt: instant('banned_at'),
    /** Who set the present ban state, and when. The refusal of a second move names both. */
    banChangedBy: text('ban_changed_by'),
    banChangedAt: instant('ban_changed_at'),
    /** From then on nothing of the person is stored any more, and nothing new is taken. */
    erasedAt: instant('erased_at'),
    createdAt: createdAt(),
    version: version(),
    changedIn: changedIn(),
    /** First and last name, last and first name, e-mail, a line each; lower case, accents folded (`member_search`). */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(sql`member_search(legal_first_name, legal_last_name, email)`),
  },
  (t) => [
    index('members_changed').on(t.changedIn, t.id),
    uniqueIndex('members_email_folded').on(sql`fold_name(${t.email})`),
    index('members_banned')
      .on(t.createdAt, t.id)
      .where(sql`banned`),
    index('members_kyc_pending')
      .on(t.createdAt, t.id)
      .where(sql`NOT kyc_completed`),
    index('members_awaiting_review')
      .on(t.kycSubmittedAt, t.id)
      .where(oneOf(sql`kyc_status`, awaitingReview)),
    index('members_undecided')
      .on(t.id)
      .where(sql`${oneOf(sql`kyc_status`, undecided)} AND kyc_submission_count > 0`),
    /** Whose pictures may be due for deletion. */
    index('members_decided')
      .on(t.kycStatus, t.kycDecidedAt, t.id)
      .where(sql`kyc_decided_at IS NOT NULL`),
    check('members_id_form', sql`${t.id} ~ '^[A-Za-z0-9_.:-]{1,64}$'`),
    check('members_kyc_status_known', oneOf(t.kycStatus, kycStatuses)),
    check('members_kyc_step_range', sql`${t.kycCurrentStep} BETWEEN 0 AND 4`),
    check('members_approved_has_membership', sql`${t.kycStatus} <> 'approved' OR ${t.membershipId} IS NOT NULL`),
    check('members_erased_is_empty', sql`${t.erasedAt} IS NULL OR num_nonnulls(${t.legalPhone}, ${t.kycSelfie}) = 0`),
    check(
      'members_ban_is_whole',
      sql`${t.banned} = (${t.bannedReason} IS NOT NULL) AND ${t.banned} = (${t.bannedAt} IS NOT NULL) AND ${t.banned} = (${t.bannedBy} IS NOT NULL)`,
    ),
  ],
)
