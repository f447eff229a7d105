import type { FastifyInstance } from 'fastify'
import { accountSecurityRoutes } from '#contract/account-security.ts'
import { readCookie, sessionCookie, setCookie } from '#server/http/cookies.ts'
import { mount } from '#server/http/mount.ts'
import { changePassword } from './change-password.ts'
import { deviceCookie } from './devices.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts'

const describeEnded = (count: number) => `${count} other ${count === 1 ? 'session was' : 'sessions were'} ended`

export function registerAccountRoutes(app: FastifyInstance): void {
  mount(app, accountSecurityRoutes.sessions, async (ctx) => ({ sessions: await listOwnSessions(ctx) }))

  mount(app, accountSecurityRoutes.endSession, async (ctx, { params }) => {
    await endOwnSession(ctx, params.id)
    return { message: 'The session was ended' }
  })

  mount(app, accountSecurityRoutes.endOtherSessions, async (ctx) => {
    const endedSessions = await endOtherSessions(ctx)
    return { message: describeEnded(endedSessions), endedSessions }
  })

  mount(app, accountSecurityRoutes.changePassword, async (ctx, { body, request, reply }) => {
    const deviceToken = readCookie(request, ctx.config, deviceCookie)
    const { token, endedSessions } = await changePassword(ctx, { ...body, deviceToken })
    setCookie(reply, ctx.config, sessionCookie, token)
    return { message: `The password was changed; ${describeEnded(endedSessions)}`, endedSessions }
  })
}
