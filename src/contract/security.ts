import * as z from 'zod/mini'
import { filter, Timestamp, pageOf, pageQuery, RowId, text } from './common.ts'
import { route } from './route.ts'

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

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

export const maxResolutionNote = 1000

/** Exact counts of the whole table: the four cards. */
export const SecurityFigures = z.object({ total: z.int(), critical: z.int(), high: z.int(), unresolved: z.int() })
export type SecurityFigures = z.infer<typeof SecurityFigures>

/** The options of the Admin Actions filter and the actions each covers (SPEC section 2, Security). */
export const actionFamilies = {
  login: {
    label: 'Login',
    actions: ['login', 'logout', 'login_failed', 'end_session', 'create_admin', 'set_password'],
  },
  ban_user: { label: 'User Management', actions: ['ban_user', 'unban_user', 'update_member', 'view_document'] },
  approve_kyc: { label: 'KYC Actions', actions: ['approve_kyc', 'reject_kyc', 'reset_kyc', 'submit_kyc', 'retry_kyc'] },
  create_token: { label: 'Token Management', actions: ['create_token', 'update_token'] },
  /** Calls of the platform API; a row's details say which, and what came of it. Shown where they are asked for alone. */
  platform_call: { label: 'Platform Calls', actions: ['platform_call'] },
  other: {
    label: 'Other',
    actions: [
      'export_report',
      'export_list',
      'import',
      'set_order_status',
      'update_order',
      'resolve_event',
      'complete_order',
      'resend_deliveries',
      'resume_events',
      'create_key',
      'revoke_key',
    ],
  },
} as const
export type AdminAction = (typeof actionFamilies)[keyof typeof actionFamilies]['actions'][number]

export const AdminLog = z.object({
  id: z.string(),
  action: z.string(),
  actor: z.string(),
  targetType: z.nullable(z.string()),
  targetId: z.nullable(z.string()),
  details: z.record(z.string(), z.unknown()),
  ipAddress: z.nullable(z.string()),
  createdAt: Timestamp,
})
export type AdminLog = z.infer<typeof AdminLog>

export const EventsQuery = z.object({
  ...pageQuery,
  severity: filter(severities),
  resolved: filter(['true', 'false']),
})
export type EventsQuery = z.infer<typeof EventsQuery>
/** `action` takes a family's name or one action; without it, all but platform calls, which would drown the rest. */
export const LogsQuery = z.object({ ...pageQuery, action: z.optional(text(64)) })
export type LogsQuery = z.infer<typeof LogsQuery>

export const securityRoutes = {
  events: route({
    method: 'GET',
    path: '/api/security/events',
    summary: 'Security events, newest first',
    query: EventsQuery,
    reply: pageOf('events', SecurityEvent),
  }),
  figures: route({
    method: 'GET',
    path: '/api/security/figures',
    summary: 'Counts of security events',
    reply: SecurityFigures,
  }),
  resolve: route({
    method: 'POST',
    path: '/api/security/events/:id/resolve',
    summary: 'Resolve a security event, with a note',
    params: z.object({ id: RowId }),
    body: z.optional(z.strictObject({ note: z.optional(z.nullable(text(maxResolutionNote))) })),
    reply: z.object({ message: z.string(), event: SecurityEvent }),
  }),
  logs: route({
    method: 'GET',
    path: '/api/admin/logs',
    summary:
      "What operators did, newest first; `action` takes a family's name or one action, `platform_call` the platform's calls",
    query: LogsQuery,
    reply: pageOf('logs', AdminLog),
  }),
}
