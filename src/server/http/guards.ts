import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { passwordChangeRequired } from '#contract/auth.ts'
import { factorRequired, newPlaceStepUp, stepUpRequired } from '#contract/factors.ts'
import { passiveHeader } from '#contract/live.ts'
import { describeMissing } from '#contract/permission-labels.ts'
import { can, listPermissions, roleLabels, type Access } from '#contract/permissions.ts'
import { readScope } from '#contract/scopes.ts'
import type { Config } from '#server/core/config.ts'
import { readAskedHost } from './hosts.ts'
import { readCookie, sessionCookie } from './cookies.ts'
import { contextFor, type Actor, type Ctx, type Services } from '#server/core/context.ts'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import { clientAddress, readNetwork } from './client-address.ts'
import {
  findNewPlace,
  findPendingSignIn,
  listStepUpMethods,
  listStepUpRules,
  reportNewPlace,
  resumeSession,
  secondFactorCookie,
  setSessionEnd,
  signInOverError,
  type Session,
  type SessionAdmin,
} from '#server/features/auth/service.ts'
import { authenticatePlatform } from '#server/platform/authenticate.ts'
import { createRateLimits, type RateLimits } from '#server/platform/rate-limit.ts'
import { requireScope } from '#server/platform/scopes.ts'
import type { RefusalKind, RefusalTally } from './refusal-tally.ts'

type AdminActor = Extract<Actor, { kind: 'admin' }>

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether an `Origin` is this console: the requested host, or the public address if a proxy changed the host. */
function isOwnOrigin(origin: string, host: string | undefined, { publicUrl }: Config): boolean {
  if (origin === publicUrl.origin) return true
  // Sandboxed frames and local files send `null`, which is not a URL.
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

/**
 * Whether a changing request comes from another site, by the browser's headers (docs/security.md). A client without
 * these headers is not a browser and sends no cookie by itself.
 */
function isCrossSite(request: FastifyRequest, config: Config): boolean {
  if (safeMethods.has(request.method)) return false
  const { origin, host, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !isOwnOrigin(origin, host, config)
}

const crossSiteRefusal: RefusalKind = {
  type: 'cross_site_refused',
  severity: 'medium',
  description: 'A page of another site asked this console for a change',
  summary: (refused) =>
    `Pages of other sites asked this console for ${refused.toLocaleString('en')} changes in a minute`,
  threshold: 1,
}
/** An open console keeps calling after its session ended. That alone is not an event. */
const noSessionRefusal: RefusalKind = {
  type: 'calls_without_session',
  severity: 'low',
  description: 'An address makes many calls without a session',
  summary: (refused) => `${refused.toLocaleString('en')} calls came without a session in a minute`,
  threshold: 60,
}
/** Refusals by the present state. Other conflicts, such as a taken name, are no moves. */
const stateRefusals = new Set<ErrorCode>([
  'already_banned',
  'not_banned',
  'member_approved',
  'not_submitted',
  'attempt_submitted',
  'attempt_decided',
  'attempt_superseded',
  'order_state',
  'transaction_state',
  'already_resolved',
])
/** The console does not offer such a move, and says on which version it was decided: else the call was made by hand. */
const illegalMoveRefusal: RefusalKind = {
  type: 'move_refused',
  severity: 'low',
  description: 'An operator asked for a change that the present state does not allow',
  summary: (refused) => `${refused.toLocaleString('en')} changes were refused by the present state in a minute`,
  threshold: 1,
}

/** The console offers nothing that the role does not allow: such a call is made by hand, or by anyone who has the session. */
const permissionRefusal: RefusalKind = {
  type: 'permission_refused',
  severity: 'medium',
  description: 'An operator made a call that the role does not allow',
  summary: (refused) => `${refused.toLocaleString('en')} calls were refused for lack of a permission in a minute`,
  threshold: 1,
}
const ownApprovalRefusal: RefusalKind = {
  type: 'own_approval_refused',
  severity: 'medium',
  description: 'An operator tried to decide on an own request',
  summary: (refused) => `${refused.toLocaleString('en')} decisions on own requests were refused in a minute`,
  threshold: 1,
}

/** How a refusal of an operator is counted, and what its event says. Null for one that is not an event. */
function describeRefusal({ code, message }: AppError, { role, name }: AdminActor, request: FastifyRequest) {
  if (code === 'forbidden')
    return {
      kind: permissionRefusal,
      description: `${name}, ${roleLabels[role]}, made a call that the role does not allow`,
      details: { role, refusal: message },
    }
  if (code === 'own_approval')
    return {
      kind: ownApprovalRefusal,
      description: `${name} tried to decide on an own request`,
      details: { approvalId: (request.params as { id?: string }).id },
    }
  // Who names the version has seen an older state: another operator was first.
  if (!stateRefusals.has(code) || request.headers['if-match'] !== undefined) return null
  return {
    kind: illegalMoveRefusal,
    description: `${name} asked for a change that the present state does not allow`,
    details: {},
  }
}

/** Whether a platform key authenticates the call. */
const isForPlatform = (access: Access | undefined, { headers }: FastifyRequest): boolean =>
  access !== undefined &&
  (readScope(access) !== null || (access === 'admin or platform' && headers.authorization !== undefined))

/** Throws forbidden with the permissions that the admin lacks. */
function requirePermissions({ roles }: Services, admin: SessionAdmin, access: Access = 'admin') {
  const missing = listPermissions(access).filter((permission) => !can(admin, permission, roles))
  if (missing.length > 0) throw new AppError('forbidden', describeMissing(missing))
}

/** The sign-in that waits for its second factor. */
async function findSecondStep({ config, database }: Services, request: FastifyRequest) {
  const token = readCookie(request, config, secondFactorCookie)
  return token ? findPendingSignIn(database.db, token) : null
}

/**
 * Throws password_change_required where somebody else set or saw the password, and factor_required where the setting
 * AUTH_MFA wants a second factor and the admin has none.
 */
function requireEnrolled({ config }: Services, session: Session, { routeOptions }: FastifyRequest) {
  if (routeOptions.config.isForEnrolment) return
  if (session.mustChangePassword) throw new AppError('password_change_required', passwordChangeRequired)
  if (config.isMfaRequired && !session.hasFactor) throw new AppError('factor_required', factorRequired)
}

/** Throws step_up_required, with what renews the authentication. */
async function refuseUnconfirmed(request: FastifyRequest, { admin }: Session, message: string) {
  const { ctx } = request
  const { methods } = await listStepUpMethods(ctx.database.db, ctx, admin.id, readAskedHost(request, ctx.config))
  throw new AppError('step_up_required', message, { details: { methods } })
}

/** Reports a session that is used from another network or browser, and throws step_up_required for a change there. */
async function requireKnownPlace(request: FastifyRequest, session: Session) {
  const { ctx } = request
  const { sessionNetwork } = ctx.config
  if (sessionNetwork === 'off') return
  const from = { ipAddress: ctx.ipAddress ?? '', userAgent: request.headers['user-agent'] ?? '' }
  const found = await findNewPlace(ctx.database.db, session, from)
  if (!found) return
  if (!found.isReported) await reportNewPlace(ctx, session, found.place)
  const isHarmless = safeMethods.has(request.method) || request.routeOptions.config.isConfirmation
  if (sessionNetwork === 'step-up' && !isHarmless) await refuseUnconfirmed(request, session, newPlaceStepUp)
}

/** Throws step_up_required where the call, or a rule for its kind, needs a recent authentication. */
async function requireStepUp({ database }: Services, request: FastifyRequest, session: Session) {
  const { needsStepUp, stepUpKind } = request.routeOptions.config
  if (session.isRecent || !(needsStepUp || stepUpKind)) return
  if (needsStepUp || (await listStepUpRules(database.db)).some((kind) => kind === stepUpKind))
    await refuseUnconfirmed(request, session, stepUpRequired)
}

/** Judges whether a session may make the call: its password, its factor, its permissions, where it is used, and how recent its sign-in is. */
async function requireAuthorization(services: Services, session: Session, request: FastifyRequest) {
  requireEnrolled(services, session, request)
  requirePermissions(services, session.admin, request.routeOptions.config.access)
  await requireKnownPlace(request, session)
  await requireStepUp(services, request, session)
}

/** Identifies the platform by its key. Throws scope_missing, with a context by which the refused call is audited. */
async function admitPlatform(services: Services, limits: RateLimits, request: FastifyRequest, reply: FastifyReply) {
  const from = { ipAddress: clientAddress(request), requestId: request.id }
  request.ctx = contextFor(services, await authenticatePlatform(services, limits, request, reply), from)
  await requireScope(request.ctx, request.routeOptions.config.access ?? 'admin')
}

/** Identifies the caller before the body is read: by session cookie, platform key, or as nobody on a public call. */
export function registerGuards(app: FastifyInstance, services: Services, refusals: RefusalTally): void {
  const limits = createRateLimits()
  app.addHook('onRequest', async (request, reply) => {
    const from = { ipAddress: clientAddress(request), requestId: request.id }
    const { access, isPassive } = request.routeOptions.config
    if (isForPlatform(access, request)) return admitPlatform(services, limits, request, reply)
    const readSource = () => ({ name: readNetwork(from.ipAddress), ipAddress: from.ipAddress })
    if (isCrossSite(request, services.config)) {
      refusals.count(crossSiteRefusal, readSource())
      throw new AppError('forbidden', 'Requests from another site are refused')
    }
    if (access === 'public' || access === 'provider' || !request.routeOptions.url?.startsWith('/api/')) {
      request.ctx = contextFor(services, { kind: 'system', name: 'nobody' }, from)
      return
    }
    if (access === 'second factor') {
      const found = await findSecondStep(services, request)
      if (!found) {
        refusals.count(noSessionRefusal, readSource())
        throw signInOverError()
      }
      request.ctx = contextFor(services, { kind: 'system', name: 'nobody' }, from)
      request.pendingSignIn = found
      return
    }
    const token = readCookie(request, services.config, sessionCookie)
    const isActivity = !isPassive && request.headers[passiveHeader] === undefined
    const session = token ? await resumeSession(services, token, isActivity) : null
    if (!session) {
      refusals.count(noSessionRefusal, readSource())
      throw new AppError('unauthorized', 'Unauthorized')
    }
    const { admin, sessionId, endsIn } = session
    setSessionEnd(reply, endsIn)
    const { id, username: name, role } = admin
    request.ctx = contextFor(services, { kind: 'admin', id, name, sessionId, role }, from)
    await requireAuthorization(services, session, request)
  })
  app.addHook('onError', async (request, _reply, error: Error) => {
    // Absent if the request was refused earlier.
    const ctx = request.ctx as Ctx | undefined
    // To open a case that another operator has just decided is not a move.
    if (ctx?.actor.kind !== 'admin' || request.routeOptions.config.isRepeatable) return
    const refusal = error instanceof AppError ? describeRefusal(error, ctx.actor, request) : null
    if (!refusal) return
    const { kind, description, details } = refusal
    const { id, name: operator } = ctx.actor
    const call = `${request.method} ${request.routeOptions.url}`
    const { code } = error as AppError
    refusals.count(kind, {
      name: id,
      ipAddress: ctx.ipAddress,
      description,
      details: { operator, call, code, ...details },
    })
  })
}
