import type { Routes } from './route.ts'
import type { deliverySchemas } from './schemas/deliveries.ts'

/** `event`: to the platform. `case`: to the KYC provider. `result`: from the KYC provider. `alert`: to an operator. */
export const deliveryKinds = ['event', 'case', 'result', 'alert'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

/** The first five are of outgoing messages, `dropped` if the endpoint was deleted. `sending` counts and filters as `waiting`. The others are of received ones. */
export const deliveryStates = [
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
export type DeliveryState = (typeof deliveryStates)[number]
export const shownStates = [
  'waiting',
  'delivered',
  'failed',
  'dropped',
  'applied',
  'recorded',
  'duplicate',
  'refused',
] as const

export const mostChosen = 1000

export const deliveryRoutes: Routes<typeof deliverySchemas> = {
  list: { method: 'GET', path: '/api/deliveries', access: 'messages.view' },
  endpoint: { method: 'GET', path: '/api/deliveries/endpoint', access: 'messages.view' },
  detail: { method: 'GET', path: '/api/deliveries/:id', access: 'messages.view' },
  resend: { method: 'POST', path: '/api/deliveries/resend', access: 'messages.send', timeoutSeconds: 60 },
}
