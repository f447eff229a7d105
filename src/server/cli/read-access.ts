import type { Role } from '#contract/permissions.ts'
import { standardScopes, type Scope } from '#contract/scopes.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import type { Config } from '#server/core/config.ts'
import type { Ctx, Services } from '#server/core/context.ts'
import { type DatabaseRole, listDatabaseRoles } from '#server/db/database-roles.ts'
import { resultProviders } from '#server/features/kyc-results/service.ts'
import { listKeys, settingKeyName } from '#server/features/keys/service.ts'
import { readEndpoints } from '#server/features/messages/service.ts'
import { listOperatorAccess, type OperatorAccess } from '#server/features/operators/service.ts'

/** All that can act or read here. It holds no secret. */
export interface AccessReport {
  operators: (Pick<Operator, 'username' | 'role' | 'state' | 'factors' | 'lastSignInAt' | 'sessions'> &
    Pick<OperatorAccess, 'isBreakGlass' | 'signInWays' | 'signInLinkUntil'>)[]
  /** Links that somebody can still open. */
  invitations: { username: string; role: Role; invitedBy: string | null; approvedBy: string | null; until: string }[]
  /** Keys that are valid now. */
  platformKeys: {
    name: string
    scopes: readonly Scope[]
    /** Null: from anywhere. */
    networks: readonly string[] | null
    /** Null of the key in the settings, as with the two below. */
    createdAt: string | null
    expiresAt: string | null
    lastUsedAt: string | null
  }[]
  /** Keys that are revoked or have expired. */
  endedKeys: number
  /** Where events go. */
  endpoints: (Pick<Endpoint, 'id' | 'name' | 'host' | 'state' | 'createdAt'> & {
    /** Null: all. */
    types: readonly string[] | null
  })[]
  databaseRoles: DatabaseRole[]
  /** How this console is set, in words. */
  settings: Record<string, string>
}

export async function readAccess(ctx: Ctx): Promise<AccessReport> {
  const operators = await listOperatorAccess(ctx)
  const { valid, ended } = await readKeys(ctx)
  return {
    operators: operators.map(
      ({ username, role, state, isBreakGlass, signInWays, signInLinkUntil, factors, lastSignInAt, sessions }) => ({
        username,
        role,
        state,
        isBreakGlass,
        signInWays,
        signInLinkUntil,
        factors,
        lastSignInAt,
        sessions,
      }),
    ),
    invitations: operators.flatMap(({ username, role, invitedBy, invitationApprovedBy: approvedBy, invitedUntil }) =>
      invitedUntil === null ? [] : [{ username, role, invitedBy, approvedBy, until: invitedUntil }],
    ),
    platformKeys: valid,
    endedKeys: ended,
    endpoints: (await readEndpoints(ctx)).map(({ id, name, host, state, types, createdAt }) => ({
      id,
      name,
      host,
      state,
      types,
      createdAt,
    })),
    databaseRoles: await listDatabaseRoles(ctx.database),
    settings: describeSettings(ctx, operators),
  }
}

async function readKeys(ctx: Ctx): Promise<{ valid: AccessReport['platformKeys']; ended: number }> {
  const keys = await listKeys(ctx)
  const valid = keys.filter(({ state }) => state === 'valid')
  const ofSettings = {
    name: settingKeyName,
    scopes: standardScopes,
    networks: null,
    createdAt: null,
    expiresAt: null,
    lastUsedAt: null,
  }
  const made = valid.map(({ name, scopes, allowedFrom, createdAt, expiresAt, lastUsedAt }) => ({
    name,
    scopes,
    networks: allowedFrom,
    createdAt,
    expiresAt,
    lastUsedAt,
  }))
  return {
    valid: [...(ctx.config.platformApiKey === undefined ? [] : [ofSettings]), ...made],
    ended: keys.length - valid.length,
  }
}

/** Only hosts are shown, since a path may hold a token. */
const hostOf = (url: string) => new URL(url).host

function describeSettings(services: Services, operators: readonly OperatorAccess[]): Record<string, string> {
  const { config } = services
  const providers = resultProviders.filter((provider) => provider.isConfigured(services))
  const emergency = operators.filter(({ isBreakGlass, state }) => isBreakGlass && state === 'active')
  const named = emergency.map(({ username }) => username).join(', ')
  return {
    'single sign-on': describeProvider(config),
    passwords: config.isLocalSignInOpen ? 'open to all operators' : 'closed but for break-glass (LOCAL_SIGN_IN=off)',
    'break-glass': named || 'nobody',
    'second factor': config.isMfaRequired ? 'required (AUTH_MFA)' : 'each operator may add one',
    'KYC results': list([
      config.kycWebhookUrl && `from ${hostOf(config.kycWebhookUrl)}`,
      ...providers.map(({ name }) => `signed in the form of ${name}`),
    ]),
    'alarms go to': list([
      config.alarms.url && hostOf(config.alarms.url),
      config.alarms.log && `the log ${config.alarms.log}`,
      config.alarms.syslogUrl && hostOf(config.alarms.syslogUrl),
    ]),
    'checkpoints go to': list([config.auditAnchorUrl && hostOf(config.auditAnchorUrl)]),
  }
}

function describeProvider({ oidc }: Config): string {
  if (!oidc) return 'off'
  const { name, issuer, roles } = oidc
  const who =
    roles.length === 0
      ? 'operators are invited'
      : `groups give roles: ${roles.map(([group, role]) => `${group}=${role}`).join(', ')}`
  return `${name} at ${issuer}; ${who}`
}

const list = (found: readonly (string | undefined)[]): string => found.filter(Boolean).join(', ') || 'none'
