import type { FastifyInstance } from 'fastify'
import { authRoutes, missingCredentials } from '#contract/auth.ts'
import { clearCookie, readCookie, setCookie } from '#server/http/cookies.ts'
import { AppError } from '#server/lib/errors.ts'
import { sessionCookie, setSessionEnd } from '#server/http/guards.ts'
import { mount } from '#server/http/mount.ts'
import { deviceCookie, deviceMaxAgeSeconds } from './devices.ts'
import { freshSession } from './sessions.ts'
import { signIn, signOut } from './sign-in.ts'
import { registerSignInLinkPage } from './sign-in-link-page.ts'

export function registerAuthRoutes(app: FastifyInstance): void {
  mount(app, authRoutes.currentUser, async (_ctx, { request }) => ({ admin: request.admin }))

  mount(app, authRoutes.login, async (ctx, { body, request, reply }) => {
    const { username, password } = body
    if (!username || !password) throw new AppError('invalid', missingCredentials)
    const { admin, token, deviceToken } = await signIn(ctx, {
      username,
      password,
      userAgent: request.headers['user-agent'] ?? '',
      presentedToken: readCookie(request, ctx.config, sessionCookie),
      deviceToken: readCookie(request, ctx.config, deviceCookie),
    })
    setCookie(reply, ctx.config, sessionCookie, token)
    setCookie(reply, ctx.config, deviceCookie, deviceToken, deviceMaxAgeSeconds)
    setSessionEnd(reply, freshSession)
    return { admin }
  })

  mount(app, authRoutes.logout, async (ctx, { request, reply }) => {
    const token = readCookie(request, ctx.config, sessionCookie)
    if (token) await signOut(ctx, token)
    clearCookie(reply, ctx.config, sessionCookie)
    // Not "storage", which would delete the operator's theme.
    reply.header('clear-site-data', '"cache"')
  })

  registerSignInLinkPage(app)
}
