import * as z from 'zod/mini'
import { filter, Timestamp, pageOf, pageQuery, text } from './common.ts'
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
  createdAt: Timestamp,
})

/** The options of the Admin Actions filter and the actions each covers (SPEC section 2, Security). */
export const actionFamilies = {
  login: {
    label: 'Login',
    actions: ['login', 'logout', 'login_failed', 'end_session', 'create_admin', 'set_password'],
  },
  ban_user: { label: 'User Management', actions: ['ban_user', 'unban_user', 'update_member', 'view_document'] },
  approve_kyc: { label: 'KYC Actions', actions: ['approve_kyc', 'reject_kyc', 'reset_kyc'] },
  create_token: { label: 'Token Management', actions: ['create_token', 'update_token'] },
} as const
/** Actions of no family. */
export const otherActions = ['export_report', 'import'] as const
export type AdminAction =
  | (typeof actionFamilies)[keyof typeof actionFamilies]['actions'][number]
  | (typeof otherActions)[number]

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

export const securityRoutes = {
  events: route({
    method: 'GET',
    path: '/api/security/events',
    summary: 'Security events, newest first',
    query: z.object({ ...pageQuery, severity: filter(severities), resolved: filter(['true', 'false']) }),
    reply: pageOf('events', SecurityEvent),
  }),
  logs: route({
    method: 'GET',
    path: '/api/admin/logs',
    summary: "What operators did, newest first; `action` takes a family's name or one action",
    query: z.object({ ...pageQuery, action: z.optional(text(64)) }),
    reply: pageOf('logs', AdminLog),
  }),
}
