import type { AdminLog, EventsQuery, LogsQuery, SecurityEvent } from '#contract/schemas/security.ts'
import { displayName } from '#contract/members.ts'
import { buildEventList, buildLogList } from '#server/features/security/service.ts'
import type { DeliveriesQuery, Delivery } from '#contract/schemas/deliveries.ts'
import { buildDeliveryList } from '#server/features/messages/service.ts'
import type { Note, NotesQuery } from '#contract/schemas/notes.ts'
import { buildNoteList } from '#server/features/notes/service.ts'
import { defineSheet, formatState, memberColumns } from './sheet.ts'

/** A note and the member that it is of. */
interface NoteRow extends Omit<Note, 'id'> {
  /** The member's. */
  email: string
  legalFirstName: string | null
  legalLastName: string | null
}

export const noteSheet = defineSheet<NotesQuery, NoteRow>(buildNoteList, {
  Date: (note) => note.createdAt,
  Author: (note) => note.author,
  ...memberColumns(({ userId, email, legalFirstName, legalLastName }: NoteRow) => ({
    id: userId,
    email,
    legalFirstName,
    legalLastName,
  })),
  'Order Number': (note) => note.order && note.order.orderNumber,
  Note: (note) => note.text,
  Edited: (note) => note.editedAt,
  'Pinned By': (note) => note.pinnedBy,
})

export const deliverySheet = defineSheet<DeliveriesQuery, Delivery>(buildDeliveryList, {
  Direction: (delivery) => (delivery.direction === 'out' ? 'Sent' : 'Received'),
  Endpoint: (delivery) => delivery.endpoint,
  Message: (delivery) => delivery.type,
  'Message ID': (delivery) => delivery.messageId,
  Entity: (delivery) => delivery.entityType,
  'Entity ID': (delivery) => delivery.entityId,
  Attempt: (delivery) => delivery.attemptNumber,
  State: (delivery) => (delivery.state === 'failed' ? 'Given up' : formatState(delivery.state)),
  Signature: (delivery) => delivery.signature && formatState(delivery.signature),
  Tries: (delivery) => delivery.tries,
  'HTTP Status': (delivery) => delivery.lastStatus,
  'Latency (ms)': (delivery) => delivery.lastLatencyMs,
  Response: (delivery) => delivery.lastNote,
  'Last Tried': (delivery) => delivery.lastTriedAt,
  'Next Try': (delivery) => delivery.nextTryAt,
  Created: (delivery) => delivery.createdAt,
})

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
