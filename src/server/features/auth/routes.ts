import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountRoutes } from '#contract/account.ts'
import { authRoutes, missingCredentials } from '#contract/auth.ts'
import { sessionEndingRoutes } from '#contract/session-endings.ts'
import type { Ctx } from '#server/core/context.ts'
import { readAskedHost } from '#server/http/hosts.ts'
import { clearCookie, readCookie, sessionCookie, setCookie } from '#server/http/cookies.ts'
import { AppError } from '#server/lib/errors.ts'
import { mount } from '#server/http/mount.ts'
import { chooseColumns, readAccount, readSignedIn } from './account.ts'
import { deviceCookie } from './devices.ts'
import { describeEnding } from './sessions.ts'
import { readSource, startSession } from './session-cookies.ts'
import { signIn, signOut } from './sign-in.ts'
import type { FactorProof } from './factors/accept-factor.ts'
import {
  completeSecondFactor,
  readSecondFactorOptions,
  secondFactorCookie,
  secondFactorSeconds,
} from './second-factor.ts'
import { readStepUpOptions, stepUp } from './step-up.ts'
import { registerSignInLinkPage } from './sign-in-link-page.ts'

export function registerAuthRoutes(app: FastifyInstance): void {
  mount(app, authRoutes.currentUser, async (ctx) => ({ admin: await readSignedIn(ctx) }))

  mount(app, authRoutes.login, async (ctx, { body, request, reply }) => {
    const { username, password } = body
    if (!username || !password) throw new AppError('invalid', missingCredentials)
    const askedHost = readAskedHost(request, ctx.config)
    const result = await signIn(ctx, { username, password, askedHost, ...readSource(ctx, request) })
    if ('admin' in result) return startSession(ctx, reply, result)
    const { pendingToken, ...offered } = result
    setCookie(reply, ctx.config, secondFactorCookie, pendingToken, secondFactorSeconds)
    return { mfaRequired: true as const, ...offered }
  })

  mount(app, authRoutes.logout, async (ctx, { request, reply }) => {
    const token = readCookie(request, ctx.config, sessionCookie)
    if (token) await signOut(ctx, token)
    clearCookie(reply, ctx.config, sessionCookie)
    // Not "storage", which would delete the operator's theme.
    reply.header('clear-site-data', '"cache"')
  })

  mount(app, sessionEndingRoutes.read, async ({ config, database }, { request }) => ({
    message: await describeEnding(database.db, readCookie(request, config, sessionCookie)),
  }))

  mount(app, accountRoutes.read, async (ctx) => readAccount(ctx))

  mount(app, accountRoutes.chooseColumns, async (ctx, { params, body }) => {
    await chooseColumns(ctx, params.list, body)
    return { message: 'Columns kept' }
  })

  registerSecondFactorRoutes(app)
  registerStepUpRoutes(app)
  registerSignInLinkPage(app)
}

/** Completes a sign-in and sets its cookies. */
async function complete(ctx: Ctx, request: FastifyRequest, reply: FastifyReply, proof: FactorProof) {
  const result = await completeSecondFactor(ctx, request.pendingSignIn, readSource(ctx, request), proof)
  clearCookie(reply, ctx.config, secondFactorCookie)
  return startSession(ctx, reply, result)
}

function registerSecondFactorRoutes(app: FastifyInstance): void {
  mount(app, authRoutes.mfaOptions, async (ctx, { request }) =>
    readSecondFactorOptions(ctx, request.pendingSignIn, readAskedHost(request, ctx.config)),
  )

  mount(app, authRoutes.mfaPasskey, async (ctx, { body, request, reply }) =>
    complete(ctx, request, reply, { method: 'passkey', ...body }),
  )
  mount(app, authRoutes.mfaTotp, async (ctx, { body, request, reply }) =>
    complete(ctx, request, reply, { method: 'totp', ...body }),
  )
  mount(app, authRoutes.mfaRecovery, async (ctx, { body, request, reply }) =>
    complete(ctx, request, reply, { method: 'recovery', ...body }),
  )
}

function registerStepUpRoutes(app: FastifyInstance): void {
  mount(app, authRoutes.stepUpOptions, async (ctx, { request }) =>
    readStepUpOptions(ctx, readAskedHost(request, ctx.config)),
  )

  mount(app, authRoutes.stepUp, async (ctx, { body, request, reply }) => {
    const { token, validUntil } = await stepUp(ctx, body, {
      userAgent: request.headers['user-agent'] ?? '',
      deviceToken: readCookie(request, ctx.config, deviceCookie),
      askedHost: readAskedHost(request, ctx.config),
    })
    setCookie(reply, ctx.config, sessionCookie, token)
    return { validUntil }
  })
}
