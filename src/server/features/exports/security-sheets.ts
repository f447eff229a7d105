import type { AdminLog, EventsQuery, LogsQuery, SecurityEvent } from '#contract/security.ts'
import { askEvents, askLogs } from '#server/features/security/service.ts'
import { sheetOf, stateWords } from './sheet.ts'

export const eventSheet = sheetOf<EventsQuery, SecurityEvent>(askEvents, {
  Severity: (event) => stateWords(event.severity),
  Event: (event) => event.eventType,
  Description: (event) => event.description,
  'IP Address': (event) => event.ipAddress,
  Date: (event) => event.createdAt,
})

export const logSheet = sheetOf<LogsQuery, AdminLog>(askLogs, {
  Action: (log) => log.action,
  Admin: (log) => log.actor,
  Target: (log) => log.targetType,
  'Target ID': (log) => log.targetId,
  Details: (log) => JSON.stringify(log.details),
  'IP Address': (log) => log.ipAddress,
  Date: (log) => log.createdAt,
})
