import type { FastifyInstance } from 'fastify'
import { authRoutes, missingCredentials } from '#contract/auth.ts'
import { clearCookie, readCookie, setCookie } from '#server/cookies.ts'
import { AppError } from '#server/errors.ts'
import { sessionCookie } from '#server/guards.ts'
import { mount } from '#server/mount.ts'
import { signIn, signOut } from './service.ts'

export function authDoor(app: FastifyInstance): void {
  mount(app, authRoutes.currentUser, async (_ctx, { request }) => ({ admin: request.admin }))

  mount(app, authRoutes.login, async (ctx, { body, request, reply }) => {
    if (!body.username || !body.password) throw new AppError('invalid', missingCredentials)
    const presentedToken = readCookie(request, ctx.config, sessionCookie)
    const { admin, token } = await signIn(ctx, {
      ...body,
      presentedToken,
      userAgent: request.headers['user-agent'] ?? '',
    })
    setCookie(reply, ctx.config, sessionCookie, token)
    return { admin }
  })

  mount(app, authRoutes.logout, async (ctx, { request, reply }) => {
    const token = readCookie(request, ctx.config, sessionCookie)
    if (token) await signOut(ctx, token)
    clearCookie(reply, ctx.config, sessionCookie)
  })
}
