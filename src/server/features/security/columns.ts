import { securityEvents } from '#server/db/tables/security.ts'

/** SQL: whether two aliases of `security_events` are unresolved and say the same. An index has the hash of the description. */
export const isEqualEvent = (one: string, other: string) =>
  `${one}.resolved_at IS NULL AND ${one}.event_type = ${other}.event_type AND ${one}.severity = ${other}.severity
    AND md5(${one}.description) = md5(${other}.description)`

/** An event as the contract names it. `details` stay in the database, and `resolved` follows from `resolvedAt`. */
export const eventColumns = {
  id: securityEvents.id,
  severity: securityEvents.severity,
  eventType: securityEvents.eventType,
  description: securityEvents.description,
  ipAddress: securityEvents.ipAddress,
  resolvedBy: securityEvents.resolvedBy,
  resolvedAt: securityEvents.resolvedAt,
  resolutionNote: securityEvents.resolutionNote,
  createdAt: securityEvents.createdAt,
  version: securityEvents.version,
}
