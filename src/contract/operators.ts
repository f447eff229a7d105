import type { Routes } from './route.ts'
import type { operatorSchemas } from './schemas/operators.ts'

/** `invited`: has not set a password yet. */
export const operatorStates = ['invited', 'active', 'disabled'] as const
export type OperatorState = (typeof operatorStates)[number]

/** Operators that there can be, the disabled included. */
export const mostOperators = 100
/** An invitation works for so long. */
export const invitationHours = 48
export const longestUsername = 64
export const longestOperatorReason = 500

export const operatorTexts = {
  invited: 'Operator invited',
  renewed: 'New invitation made',
  roleChanged: 'Role changed',
  disabled: 'Operator disabled',
  enabled: 'Operator enabled',
  sessionsEnded: 'Sessions ended',
  factorsReset: 'Second factors reset',
} as const

const manage = 'operators.manage'

export const operatorRoutes: Routes<typeof operatorSchemas> = {
  list: { method: 'GET', path: '/api/operators', access: manage },
  invite: { method: 'POST', path: '/api/operators', access: manage, stepUp: true, approvals: ['change_operators'] },
  renewInvitation: {
    method: 'POST',
    path: '/api/operators/:id/invitation',
    access: manage,
    stepUp: true,
    approvals: ['change_operators'],
  },
  setRole: {
    method: 'PATCH',
    path: '/api/operators/:id/role',
    access: manage,
    versioned: true,
    stepUp: true,
    approvals: ['change_operators'],
  },
  disable: { method: 'POST', path: '/api/operators/:id/disable', access: manage, versioned: true, stepUp: true },
  enable: {
    method: 'POST',
    path: '/api/operators/:id/enable',
    access: manage,
    versioned: true,
    stepUp: true,
    approvals: ['change_operators'],
  },
  resetFactors: {
    method: 'POST',
    path: '/api/operators/:id/reset-factors',
    access: manage,
    versioned: true,
    stepUp: true,
    approvals: ['change_operators'],
  },
  endSessions: { method: 'DELETE', path: '/api/operators/:id/sessions', access: manage },
}
