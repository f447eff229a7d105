import type { AdminLog, EventsQuery, LogsQuery, SecurityEvent } from '#contract/schemas/security.ts'
import { displayName } from '#contract/users.ts'
import { buildEventList, buildLogList } from '#server/features/security/service.ts'
import { defineSheet, formatState } from './sheet.ts'

export const eventSheet = defineSheet<EventsQuery, SecurityEvent>(buildEventList, {
  Severity: (event) => formatState(event.severity),
  Event: (event) => event.eventType,
  Description: (event) => event.description,
  'IP Address': (event) => event.ipAddress,
  Date: (event) => event.createdAt,
  'Resolved By': (event) => event.resolvedBy,
  'Resolved At': (event) => event.resolvedAt,
  'Resolution Note': (event) => event.resolutionNote,
})

export const logSheet = defineSheet<LogsQuery, AdminLog>(buildLogList, {
  Action: (log) => log.action,
  Admin: (log) => log.actor,
  Target: (log) => log.targetType,
  'Target ID': (log) => log.targetId,
  'Target Name': (log) => log.targetMember && displayName(log.targetMember),
  Details: (log) => JSON.stringify(log.details),
  'IP Address': (log) => log.ipAddress,
  Date: (log) => log.createdAt,
})
