import type { DeliveriesQuery, Delivery } from '#contract/schemas/deliveries.ts'
import { buildDeliveryList } from '#server/features/messages/service.ts'
import { defineSheet, formatState } from './sheet.ts'

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
