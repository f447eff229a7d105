import type { Routes } from './route.ts'
import type { messageSchemas } from './schemas/messages.ts'

/** `event`: to the platform. `case`: to the KYC provider. `result`: from the KYC provider. `alert`: to an operator. */
export const messageKinds = ['event', 'case', 'result', 'alert'] as const
export type MessageKind = (typeof messageKinds)[number]

/** The first five are of outgoing messages, `dropped` if the endpoint was deleted. `sending` counts and filters as `waiting`. The others are of received ones. */
export const messageStates = [
  'waiting',
  'sending',
  'delivered',
  'failed',
  'dropped',
  'applied',
  'recorded',
  'duplicate',
  'refused',
] as const
export type MessageState = (typeof messageStates)[number]
export const messageStateLabels: Record<MessageState, string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  delivered: 'Delivered',
  failed: 'Given up',
  dropped: 'Dropped',
  applied: 'Applied',
  recorded: 'Recorded',
  duplicate: 'Duplicate',
  refused: 'Refused',
}
const { sending: _asWaiting, ...shownLabels } = messageStateLabels

/** Those that the log names: `sending` is `waiting` there. */
// Object.keys only knows that they are strings.
export const shownStates = Object.keys(shownLabels) as (keyof typeof shownLabels)[]

export const mostChosen = 1000

export const messageRoutes: Routes<typeof messageSchemas> = {
  list: { method: 'GET', path: '/api/messages', access: 'messages.view' },
  endpoint: { method: 'GET', path: '/api/messages/endpoint', access: 'messages.view' },
  detail: { method: 'GET', path: '/api/messages/:id', access: 'messages.view' },
  resend: { method: 'POST', path: '/api/messages/resend', access: 'messages.send', timeoutSeconds: 60 },
}
