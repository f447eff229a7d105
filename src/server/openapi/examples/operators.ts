import { permissionsOf } from '#contract/permissions.ts'
import type { ExamplesOf } from './example-types.ts'
import { at, later } from './samples.ts'

const admin = { id: '1', username: 'ada', createdAt: at, lastSignInAt: later }

export const account: ExamplesOf<'account'> = {
  read: {
    reply: {
      admin: { ...admin, role: 'finance' },
      permissions: permissionsOf('finance'),
      hasOtherOperators: true,
      signInWays: ['password'],
    },
  },
}

const url = 'https://login.example.com/authorize?client_id=console&response_type=code&code_challenge_method=S256'
export const oidc: ExamplesOf<'oidc'> = {
  begin: { body: { returnTo: '/orders' }, reply: { url } },
  beginStepUp: { reply: { url } },
  beginLink: { reply: { url } },
}

const operator = {
  id: '2',
  username: 'vera',
  role: 'viewer',
  state: 'active',
  createdAt: at,
  lastSignInAt: later,
  sessions: 1,
  invitedUntil: null,
  invitedBy: 'ada',
  invitationApprovedBy: null,
  factors: { passkeys: 1, apps: 0, recoveryCodes: 10 },
  version: 1,
} as const
const noFactors = { passkeys: 0, apps: 0, recoveryCodes: 0 }
const invited = {
  ...operator,
  state: 'invited',
  lastSignInAt: null,
  sessions: 0,
  invitedUntil: later,
  factors: noFactors,
} as const
const link = 'https://console.example.com/invitation/Zq3kV0m3nq3r8iS2yN5xA1b7c9d0e2f4g6h8j1k3m5n'
const reason = { reason: 'Has left the company' }
export const operators: ExamplesOf<'operators'> = {
  list: { reply: { operators: [operator] } },
  invite: {
    body: { username: 'vera', role: 'viewer' },
    reply: { message: 'Operator invited', operator: invited, link },
  },
  renewInvitation: { params: { id: '2' }, reply: { message: 'New invitation made', operator: invited, link } },
  setRole: {
    params: { id: '2' },
    body: { role: 'finance' },
    reply: { message: 'Role changed', operator: { ...operator, role: 'finance', sessions: 0, version: 2 } },
  },
  disable: {
    params: { id: '2' },
    body: reason,
    reply: { message: 'Operator disabled', operator: { ...operator, state: 'disabled', sessions: 0, version: 2 } },
  },
  enable: {
    params: { id: '2' },
    body: { reason: 'Is back' },
    reply: { message: 'Operator enabled', operator: { ...operator, sessions: 0, version: 3 } },
  },
  resetFactors: {
    params: { id: '2' },
    body: { reason: 'Has lost the phone' },
    reply: { message: 'Second factors reset', operator: { ...operator, sessions: 0, factors: noFactors, version: 2 } },
  },
  endSessions: { params: { id: '2' }, reply: { message: 'Sessions ended', operator: { ...operator, sessions: 0 } } },
}
