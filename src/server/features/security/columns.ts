import { securityEvents } from '#server/db/tables/security.ts'

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
