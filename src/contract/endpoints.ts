import type { Routes } from './route.ts'
import type { endpointSchemas } from './schemas/endpoints.ts'
import type { PlatformEventType } from './schemas/platform-events.ts'
import { listKeys } from './states.ts'

/**
 * The state of an endpoint. `unset`: the settings have no address. `off`: an operator switched it off. `paused`: it
 * answered 410 and gets nothing until it is resumed. `failing`: its last try failed. `untried`: nothing was sent yet.
 */
export const endpointStates = ['healthy', 'failing', 'paused', 'off', 'unset', 'untried'] as const
export type EndpointState = (typeof endpointStates)[number]

/** Besides the endpoint of the settings. */
export const mostEndpoints = 20
export const longestEndpointName = 60
export const longestEndpointUrl = 2048

/** The type of the event that is sent only on request. */
export const testType = 'endpoint.test' satisfies PlatformEventType
export type ChosenType = Exclude<PlatformEventType, typeof testType>

/** The types of events that an endpoint may choose from. */
export const eventTypeLabels: Record<ChosenType, string> = {
  'member.banned': 'Member banned',
  'member.unbanned': 'Member unbanned',
  'member.erased': 'Member erased',
  'kyc.approved': 'KYC approved',
  'kyc.rejected': 'KYC rejected',
  'kyc.reset': 'KYC reset',
  'order.paid': 'Order paid',
  'order.payment_received': 'Order paid in part',
  'order.payment_reversed': 'Payment of an order undone',
  'order.refund_due': 'Refund of an order due',
  'order.refund_paid': 'Refund of an order paid',
  'order.refund_withdrawn': 'Refund of an order withdrawn',
  'order.cancelled': 'Order cancelled',
  'order.expired': 'Order expired',
  'token.created': 'Token added',
  'token.updated': 'Token switched on or off',
  'deposit.confirmed': 'Deposit confirmed',
  'deposit.dropped': 'Deposit dropped',
}
export const eventTypes = listKeys(eventTypeLabels)

export const endpointNameProblem = 'must be letters, digits, blanks and _ . , ( ) & -, and begin with a letter or digit'

export const isEndpointName = (name: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N} _.,()&-]*$/u.test(name)

export const endpointUrlProblem = 'must be an http or https address without credentials and without a part behind #'

/** Whether the address can be the target of events. */
export function isEndpointUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hash } = new URL(value)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '' && hash === ''
}

const manage = 'endpoints.manage'

export const endpointRoutes: Routes<typeof endpointSchemas> = {
  list: { method: 'GET', path: '/api/endpoints', access: 'messages.view' },
  create: { method: 'POST', path: '/api/endpoints', access: manage, stepUp: true },
  update: { method: 'PATCH', path: '/api/endpoints/:id', access: manage, versioned: true, stepUp: true },
  remove: { method: 'DELETE', path: '/api/endpoints/:id', access: manage, versioned: true, stepUp: true },
  rotateSecret: { method: 'POST', path: '/api/endpoints/:id/secret', access: manage, versioned: true, stepUp: true },
  endOldSecret: {
    method: 'DELETE',
    path: '/api/endpoints/:id/old-secret',
    access: manage,
    versioned: true,
    stepUp: true,
  },
  resume: { method: 'POST', path: '/api/endpoints/:id/resume', access: manage },
  test: { method: 'POST', path: '/api/endpoints/:id/test', access: 'messages.send' },
}
