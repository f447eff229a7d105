import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { adminLogList, securityEventList } from '#contract/lists.ts'
import { alarmOutputs } from '#contract/alarms.ts'
import { accountLevels, chainFaultKinds, faultSides, maxResolutionNote, severities } from '#contract/security.ts'
import { listQuery, pageOf, RowId, text, Timestamp } from './common.ts'
import { MemberRef } from './kyc.ts'

export const SecurityEvent = z.object({
  id: z.string(),
  severity: z.enum(severities),
  eventType: z.string(),
  description: z.string(),
  ipAddress: z.nullable(z.string()),
  resolved: z.boolean(),
  resolvedBy: z.nullable(z.string()),
  resolvedAt: z.nullable(Timestamp),
  resolutionNote: z.nullable(z.string()),
  createdAt: Timestamp,
  version: z.int(),
})
export type SecurityEvent = z.infer<typeof SecurityEvent>

export const ListedEvent = z.object({
  ...SecurityEvent.shape,
  /** With `together`: how many unresolved events are equal to it, itself among them. */
  equal: z.optional(z.int()),
})
export type ListedEvent = z.infer<typeof ListedEvent>

/** Exact counts of the whole table: the four cards. */
export const SecurityFigures = z.object({ total: z.int(), critical: z.int(), high: z.int(), unresolved: z.int() })
export type SecurityFigures = z.infer<typeof SecurityFigures>

/** An output of alarms (product 5.12). */
export const AlarmState = z.object({
  output: z.enum(alarmOutputs),
  /** Events and audit rows that are yet to be sent. */
  waiting: z.int(),
  lastSentAt: z.nullable(Timestamp),
  /** Null while it does not fail. */
  failingSince: z.nullable(Timestamp),
  nextTryAt: z.nullable(Timestamp),
  /** Why the last try failed. */
  problem: z.nullable(z.string()),
})
export type AlarmState = z.infer<typeof AlarmState>

/** What the last verification found, and the row of the log that shows it (product 5.12). */
export const AuditFault = z.object({
  seq: z.string(),
  /** The row of the bad entry. Null if nothing tells which. */
  rowId: z.nullable(z.string()),
  kind: z.enum(chainFaultKinds),
  /** How many entries from `seq` on have the same fault. */
  count: z.int(),
  /** The row itself, or the one beside entries that are gone. Null if no row is left. */
  shownAt: z.nullable(z.string()),
  /** Where the entries that are gone were, seen from that row. Null if the row itself is bad. */
  side: z.nullable(z.enum(faultSides)),
})
export type AuditFault = z.infer<typeof AuditFault>

/** A verification that was asked for or is under way. */
export const AuditVerifying = z.object({
  /** Null if nobody asked for it: it runs by the clock or by a command. */
  requestedAt: z.nullable(Timestamp),
  requestedBy: z.nullable(z.string()),
  /** Entries read so far, and those that there are. Null before it has begun to read. */
  progress: z.nullable(z.object({ rows: z.int(), of: z.int() })),
})
export type AuditVerifying = z.infer<typeof AuditVerifying>

/** What protects the audit log (product 5.12). */
export const Integrity = z.object({
  account: z.object({ name: z.string(), level: z.enum(accountLevels) }),
  chain: z.object({
    /** The last number of the chain; null before the first. */
    sealedTo: z.nullable(z.string()),
    sealedAt: z.nullable(Timestamp),
    /** Rows of the audit log that are yet to be sealed. */
    waiting: z.int(),
    waitingSince: z.nullable(Timestamp),
  }),
  /** The last verification of the whole log; null before the first. */
  verification: z.nullable(
    z.object({
      at: Timestamp,
      rows: z.int(),
      fault: z.nullable(z.object({ seq: z.string(), text: z.string() })),
      /** All faults in the order of the chain, a hundred at most, and how many entries they are. */
      faults: z.array(AuditFault),
      badEntries: z.int(),
    }),
  ),
  /** Null if none is under way. */
  verifying: z.nullable(AuditVerifying),
  /** Where events and audit rows are sent. Empty if no output is set. */
  alarms: z.array(AlarmState),
})
export type Integrity = z.infer<typeof Integrity>

export const AdminLog = z.object({
  id: z.string(),
  action: z.string(),
  actor: z.string(),
  targetType: z.nullable(z.string()),
  targetId: z.nullable(z.string()),
  /** The member, where the target is one. */
  targetMember: z.nullable(MemberRef),
  details: z.record(z.string(), z.unknown()),
  ipAddress: z.nullable(z.string()),
  createdAt: Timestamp,
})
export type AdminLog = z.infer<typeof AdminLog>

export const EventsQuery = z.object(listQuery(securityEventList))
export type EventsQuery = z.infer<typeof EventsQuery>
const { search: _actor, ...logQuery } = listQuery(adminLogList)
export const LogsQuery = z.object({
  ...logQuery,
  action: z.optional(text(64)),
  /** The whole name of an operator, or of a platform key as `platform:shop`; in any case of its letters. */
  actor: z.optional(text(200)),
})
export type LogsQuery = z.infer<typeof LogsQuery>

export const securitySchemas = {
  events: { summary: 'Security events, newest first', query: EventsQuery, reply: pageOf('events', ListedEvent) },
  figures: { summary: 'Counts of security events', reply: SecurityFigures },
  integrity: {
    summary: "How far the audit log is sealed and sent out, its last verification, and the server's database account",
    reply: Integrity,
  },
  verify: {
    summary: 'Have the whole audit log verified; joins a verification that was asked for and is not over',
    reply: z.object({ message: z.string(), verifying: AuditVerifying }),
  },
  resolve: {
    summary: 'Resolve a security event, with a note',
    params: z.object({ id: RowId }),
    body: z.optional(
      z.strictObject({
        note: z.optional(z.nullable(text(maxResolutionNote))),
        /** Resolves the unresolved events that are equal to it too, a thousand at most. */
        equal: z.optional(z.boolean()),
      }),
    ),
    /** `resolved`: how many events are resolved now. */
    reply: z.object({ message: z.string(), event: SecurityEvent, resolved: z.int() }),
    refuses: ['already_resolved'],
  },
  logs: {
    summary:
      "What operators did, newest first; `action` takes a family's name or one action, `platform_call` the platform's calls",
    query: LogsQuery,
    reply: pageOf('logs', AdminLog),
  },
} satisfies Record<string, RouteSchemas>
