import type { Alerts } from '#contract/schemas/alerts.ts'
import type { ExamplesOf } from './example-types.ts'
import { at, later } from './samples.ts'

export const sessionEndings: ExamplesOf<'sessionEndings'> = {
  read: { reply: { message: 'You were signed out after 30 minutes without use.' } },
}

export const accountSecurity: ExamplesOf<'accountSecurity'> = {
  sessions: {
    reply: {
      sessions: [
        {
          id: '7',
          isCurrent: true,
          device: 'Firefox 145 on Windows',
          deviceKind: 'computer',
          userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
          ipAddress: '203.0.113.7',
          createdAt: at,
          lastActiveAt: later,
        },
      ],
    },
  },
  endSession: { params: { id: '6' }, reply: { message: 'The session was ended' } },
  endOtherSessions: { reply: { message: '2 other sessions were ended', endedSessions: 2 } },
  changePassword: {
    body: { currentPassword: 'seven grey herons at noon', newPassword: 'a walk along the river at dusk' },
    reply: { message: 'The password was changed; 2 other sessions were ended', endedSessions: 2 },
  },
}

const alertSettings: Alerts = {
  email: {
    lastSentAt: later,
    failingSince: null,
    problem: null,
    isSet: true,
    address: 'ada@example.com',
    waitingAddress: null,
    codeExpiresAt: null,
  },
  chat: { lastSentAt: null, failingSince: null, problem: null, host: 'chat.example.com' },
  choices: [
    { kind: 'critical_events', email: 'at_once', chat: 'at_once' },
    { kind: 'expiring_orders', email: 'digest', chat: 'off' },
  ],
  digestHour: 8,
  timeZone: 'Europe/Berlin',
  version: 4,
}

export const alerts: ExamplesOf<'alerts'> = {
  read: { reply: alertSettings },
  choose: {
    body: { choices: alertSettings.choices, digestHour: 8, timeZone: 'Europe/Berlin' },
    reply: { message: 'Your alerts were saved', alerts: alertSettings },
  },
  setEmail: {
    body: { address: 'ada@example.com' },
    reply: { message: 'A code goes to that address now', alerts: alertSettings },
  },
  confirmEmail: {
    body: { code: '40718823' },
    reply: { message: 'The address was confirmed', alerts: alertSettings },
  },
  setChat: {
    body: { url: 'https://chat.example.com/hooks/9f3c1d' },
    reply: { message: 'The chat was set', alerts: alertSettings },
  },
  remove: {
    params: { output: 'chat' },
    reply: { message: 'Nothing goes by chat any more', alerts: alertSettings },
  },
  test: { params: { output: 'email' }, reply: { message: 'A test goes out by e-mail now' } },
}
