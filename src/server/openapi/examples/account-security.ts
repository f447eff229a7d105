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
    body: { currentPassword: 'correct horse battery staple', newPassword: 'a walk along the river at dusk' },
    reply: { message: 'The password was changed; 2 other sessions were ended', endedSessions: 2 },
  },
}
