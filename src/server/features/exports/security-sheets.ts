import type { AdminLog, EventsQuery, LogsQuery, SecurityEvent } from '#contract/schemas/security.ts'
import { displayName } from '#contract/members.ts'
import { buildEventList, buildLogList } from '#server/features/security/service.ts'
import type { MessagesQuery, Message } from '#contract/schemas/messages.ts'
import { buildMessageList } from '#server/features/messages/service.ts'
import type { Note, NotesQuery } from '#contract/schemas/notes.ts'
import { buildNoteList } from '#server/features/notes/service.ts'
import { defineSheet, formatState } from './sheet.ts'

/** A note and the member that it is of, if it is not on a line of the bank. */
interface NoteRow extends Omit<Note, 'id'> {
  /** The member's. */
  email: string | null
  legalFirstName: string | null
  legalLastName: string | null
}

export const noteSheet = defineSheet<NotesQuery, NoteRow>(buildNoteList, {
  Date: (note) => note.createdAt,
  Author: (note) => note.author,
  'User ID': (note) => note.userId,
  Name: ({ email, ...names }) => email && displayName({ email, ...names }),
  Email: (note) => note.email,
  'Bank Line ID': (note) => note.bankLineId,
  'Order Number': (note) => note.order && note.order.orderNumber,
  Note: (note) => note.text,
  Edited: (note) => note.editedAt,
  'Pinned By': (note) => note.pinnedBy,
})

export const messageSheet = defineSheet<MessagesQuery, Message>(buildMessageList, {
  Direction: (message) => (message.direction === 'out' ? 'Sent' : 'Received'),
  Endpoint: (message) => message.endpoint,
  Message: (message) => message.type,
  'Message ID': (message) => message.messageId,
  Entity: (message) => message.entityType,
  'Entity ID': (message) => message.entityId,
  Attempt: (message) => message.attemptNumber,
  State: (message) => (message.state === 'failed' ? 'Given up' : formatState(message.state)),
  Signature: (message) => message.signature && formatState(message.signature),
  Tries: (message) => message.tries,
  'HTTP Status': (message) => message.lastStatus,
  'Latency (ms)': (message) => message.lastLatencyMs,
  Response: (message) => message.lastNote,
  'Last Tried': (message) => message.lastTriedAt,
  'Next Try': (message) => message.nextTryAt,
  Created: (message) => message.createdAt,
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
