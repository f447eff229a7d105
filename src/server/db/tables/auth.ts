import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { ListName } from '#contract/list.ts'
import type { ColumnChoice } from '#contract/schemas/account.ts'
import { sessionEndings } from '#contract/session-endings.ts'
import { stepUpMethods } from '#contract/factors.ts'
import { roleNames } from '#contract/permissions.ts'
import { bytes, createdAt, identity, instant, oneOf, version } from '#server/db/columns.ts'

export const admins = pgTable(
  'admins',
  {
    id: identity(),
    username: text('username').notNull(),
    /** argon2id, PHC string. Null until an invited operator has set a password. */
    passwordHash: text('password_hash'),
    /** Whether somebody else set the password or saw it: its sessions can only choose another one (product 2.4). */
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    role: text('role', { enum: roleNames }).notNull(),
    createdAt: createdAt(),
    lastSignInAt: instant('last_sign_in_at'),
    /** Whether the password opens a session although passwords are closed (LOCAL_SIGN_IN=off). */
    breakGlass: boolean('break_glass').notNull().default(false),
    /** From then on the admin has no session and cannot sign in. */
    disabledAt: instant('disabled_at'),
    /** When that last happened, even if enabled again since: what was requested before is approved no more. */
    lastDisabledAt: instant('last_disabled_at'),
    /** Who made the latest invitation, and who approved it and was shown its link. Null of whom nobody invited. */
    invitedBy: bigint('invited_by', { mode: 'string' }).references((): AnyPgColumn => admins.id),
    invitationApprovedBy: bigint('invitation_approved_by', { mode: 'string' }).references((): AnyPgColumn => admins.id),
    /** How the admin has the columns of lists. No change of the account: it moves no version. */
    columnChoices: jsonb('column_choices').$type<Partial<Record<ListName, ColumnChoice>>>().notNull().default({}),
    version: version(),
  },
  (t) => [
    uniqueIndex('admins_username_folded').on(sql`fold_name(${t.username})`),
    check('admins_role_known', oneOf(t.role, roleNames)),
  ],
)

export const adminId = () =>
  bigint('admin_id', { mode: 'string' })
    .notNull()
    .references(() => admins.id, { onDelete: 'cascade' })

/** The cookie holds a random token; only its SHA-256 is kept, so the database alone opens no session. */
export const sessions = pgTable(
  'sessions',
  {
    id: identity(),
    tokenHash: bytes('token_hash').notNull(),
    adminId: adminId(),
    createdAt: createdAt(),
    lastActiveAt: instant('last_active_at')
      .notNull()
      .default(sql`now()`),
    ipAddress: text('ip_address').notNull(),
    userAgent: text('user_agent').notNull(),
    /** When the admin last proved who he is: at sign-in, and by each step-up. */
    authenticatedAt: instant('authenticated_at')
      .notNull()
      .default(sql`now()`),
    /** What was given then. */
    authenticatedBy: text('authenticated_by', { enum: stepUpMethods })
      .array()
      .notNull()
      .default(sql`'{password}'`),
    /** Networks and browsers besides those of the sign-in: which the admin confirmed, and which an event named. */
    confirmedPlaces: text('confirmed_places')
      .array()
      .notNull()
      .default(sql`'{}'`),
    reportedPlaces: text('reported_places')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Whether the provider has proven a second factor at sign-in, which counts as one of ours (OIDC_MFA). */
    providerFactor: boolean('provider_factor').notNull().default(false),
  },
  (t) => [uniqueIndex('sessions_token_hash').on(t.tokenHash), index('sessions_admin').on(t.adminId, t.createdAt)],
)

/** Why a session ended by other than signing out, to be told to the browser that presents its token. Kept for a day. */
export const endedSessions = pgTable(
  'ended_sessions',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    reason: text('reason', { enum: sessionEndings }).notNull(),
    endedAt: instant('ended_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    index('ended_sessions_age').on(t.endedAt),
    check('ended_sessions_reason_known', oneOf(t.reason, sessionEndings)),
  ],
)

/** Failed sign-ins, one row a key: an account from an address, an account as a whole, an address as a whole. */
export const signInThrottles = pgTable(
  'sign_in_throttles',
  {
    key: text('key').primaryKey(),
    failures: integer('failures').notNull(),
    windowStartedAt: instant('window_started_at')
      .notNull()
      .default(sql`now()`),
    lockedUntil: instant('locked_until'),
  },
  (t) => [index('sign_in_throttles_window').on(t.windowStartedAt)],
)

/** Where an admin has signed in from before; the device cookie exempts its browser from the account-wide limit. */
export const knownDevices = pgTable(
  'known_devices',
  {
    adminId: adminId(),
    ipAddress: text('ip_address').notNull(),
    deviceHash: bytes('device_hash').notNull(),
    lastSeenAt: instant('last_seen_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.adminId, t.ipAddress, t.deviceHash] })],
)

/** One code for an admin at a time; anyone who has it makes the browser known, once. Only its SHA-256 is kept. */
export const signInLinks = pgTable(
  'sign_in_links',
  {
    adminId: adminId().primaryKey(),
    codeHash: bytes('code_hash').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [uniqueIndex('sign_in_links_code_hash').on(t.codeHash)],
)

/** One invitation for an admin at a time; who has its code sets the first password, once. Only the SHA-256 is kept. */
export const operatorInvitations = pgTable(
  'operator_invitations',
  {
    adminId: adminId().primaryKey(),
    codeHash: bytes('code_hash').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [uniqueIndex('operator_invitations_code_hash').on(t.codeHash)],
)
