import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionEndHeader } from '#contract/auth.ts'
import type { AccountAdmin } from '#contract/schemas/account.ts'
import type { Config } from '#server/core/config.ts'
import type { Ctx } from '#server/core/context.ts'
import { readCookie, sessionCookie, setCookie } from '#server/http/cookies.ts'
import type { SignInResult, SignInSource } from './complete-sign-in.ts'
import { deviceCookie, deviceMaxAgeSeconds } from './devices.ts'
import { freshSession, type SessionTime } from './sessions.ts'

/** The browser of a request, with the cookies that it presents. */
export const readSource = ({ config }: Ctx, request: FastifyRequest): SignInSource => ({
  userAgent: request.headers['user-agent'] ?? '',
  presentedToken: readCookie(request, config, sessionCookie),
  deviceToken: readCookie(request, config, deviceCookie),
})

/** Sends how many seconds the session has left, and the time by which the page reads the instants of answers. */
export const setSessionEnd = (reply: FastifyReply, { idle, absolute }: SessionTime): FastifyReply =>
  reply.header(sessionEndHeader, `idle=${idle}, absolute=${absolute}, now=${Date.now()}`)

export const setSessionCookie = (reply: FastifyReply, config: Config, token: string): void =>
  setCookie(reply, config, sessionCookie, token)

/** Sets the cookies of a session that was opened. */
export function startSession(
  { config }: Ctx,
  reply: FastifyReply,
  { admin, token, deviceToken }: SignInResult,
): { admin: AccountAdmin } {
  setSessionCookie(reply, config, token)
  if (deviceToken !== null) setCookie(reply, config, deviceCookie, deviceToken, deviceMaxAgeSeconds)
  setSessionEnd(reply, freshSession)
  return { admin }
}
