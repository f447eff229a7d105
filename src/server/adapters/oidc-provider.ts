import * as oidc from 'openid-client'
import { absoluteHours } from '#contract/auth.ts'
import { providerReturnPath } from '#contract/oidc.ts'
import type { OidcSettings } from '#server/core/config.ts'
import { isLoopback } from '#server/lib/loopback.ts'

/** The provider asks for credentials again of who has given none for so long. */
const maxAgeSeconds = absoluteHours * 3600
const clockSkewSeconds = 60

/** What binds an answer of the provider to the browser that asked. Each value is used once. */
export interface ProviderRequest {
  state: string
  nonce: string
  codeVerifier: string
}

/** What the provider has proven of a person. */
export interface ProviderClaims {
  subject: string
  /** What to call a new operator. */
  name: string
  groups: string[]
  /** Seconds since 1970; null where the provider does not say. */
  authenticatedAt: number | null
  /** Whether the provider has asked for a second factor, by OIDC_MFA. */
  hasSecondFactor: boolean
}

/**
 * `unreachable`: no usable answer. `refused`: the provider signs nobody in. `expired`: the code was used or is too old.
 * `unregistered`: the provider does not know this console as it is set. `invalid`: the answer is not what was asked for.
 */
export type ProviderProblem = 'unreachable' | 'refused' | 'expired' | 'unregistered' | 'invalid'

/** `reason` is a code of the library or of the standard, never a text of the provider. */
export class ProviderError extends Error {
  readonly problem: ProviderProblem
  readonly reason: string

  constructor(problem: ProviderProblem, reason: string) {
    super(`the sign-in provider: ${problem} (${reason})`)
    this.problem = problem
    this.reason = reason
  }
}

export interface OidcProvider {
  /** Where the browser goes. `isFresh`: the provider asks for credentials anyone who is signed in there. Throws ProviderError. */
  buildSignInUrl(request: ProviderRequest, isFresh: boolean): Promise<string>
  /** Verifies the provider's answer, the query of the return with its `?`. Throws ProviderError. */
  redeem(query: string, request: ProviderRequest): Promise<ProviderClaims>
}

const timeoutSeconds = 10
/** Keys are fetched again when one is unknown; addresses and capabilities are read again after this. */
const discoveryMs = 3_600_000
const longestSubject = 255
const mostGroups = 5000

/** A shared secret or no signature at all would let others sign: the provider's own key has to. */
const isOwnSignature = (alg: string) => /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519|ML-DSA-\d+)$/.test(alg)

/** Error codes of RFC 6749 and OpenID Connect. Others may be any text. */
const knownErrors = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
])
const nameError = (code: string) => (knownErrors.has(code) ? code : 'unknown_error')

const unusableAnswers = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
])

/** The library's errors hold codes, tokens and claims, so none of them may reach a log. */
function describeFailure(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (error instanceof oidc.AuthorizationResponseError) return new ProviderError('refused', nameError(error.error))
  if (error instanceof oidc.ResponseBodyError) {
    const reason = nameError(error.error)
    return new ProviderError(reason === 'invalid_grant' ? 'expired' : 'unregistered', reason)
  }
  if (error instanceof oidc.WWWAuthenticateChallengeError) return new ProviderError('unregistered', 'challenge')
  if (error instanceof oidc.ClientError) {
    const code = error.code ?? 'unknown'
    return new ProviderError(unusableAnswers.has(code) ? 'unreachable' : 'invalid', code)
  }
  // fetch throws it where no connection is made, or a certificate is not valid.
  if (error instanceof TypeError) return new ProviderError('unreachable', 'no connection')
  throw error
}

const nameFailures = async <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    throw describeFailure(error)
  })

const readTexts = (value: unknown): string[] =>
  [value].flat().filter((each): each is string => typeof each === 'string' && each !== '')

/** Trims a name to what an operator may be called. */
const tidyName = (name: string) =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
    .slice(0, 64)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trim()

const isLongestOf = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most && value.isWellFormed() && !value.includes('\0')

/** Reads the claims of a verified ID token, with the groups from wherever the provider lists them. */
function readClaims(settings: OidcSettings, claims: oidc.IDToken, groups: unknown): ProviderClaims {
  const { sub: subject, auth_time: authenticatedAt, amr, acr } = claims
  if (!isLongestOf(subject, longestSubject)) throw new ProviderError('invalid', 'sub')
  const isTime = typeof authenticatedAt === 'number' && authenticatedAt > 0 && authenticatedAt < 1e11
  // Many providers leave it away although `max_age` asks for it. One that says it keeps to it.
  if (isTime && authenticatedAt < Date.now() / 1000 - maxAgeSeconds - clockSkewSeconds)
    throw new ProviderError('invalid', 'auth_time')
  const proven = [...readTexts(amr), ...readTexts(acr)]
  const [name = ''] = readTexts([claims.preferred_username, claims.name, subject]).map(tidyName).filter(Boolean)
  return {
    subject,
    name,
    groups: readTexts(groups).slice(0, mostGroups),
    authenticatedAt: isTime ? authenticatedAt : null,
    hasSecondFactor: proven.some((value) => settings.secondFactors.includes(value)),
  }
}

/** Reads what the provider publishes of itself, and narrows it to what is accepted here. */
async function discover(settings: OidcSettings): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = settings
  const execute = isLoopback(issuer) ? [oidc.allowInsecureRequests] : []
  const found = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout: timeoutSeconds,
  })
  const server: oidc.ServerMetadata = { ...found.serverMetadata() }
  // Some providers publish one address for all their customers, whose people are not ours.
  if (!URL.canParse(server.issuer) || new URL(server.issuer).href !== issuer)
    throw new ProviderError('invalid', 'issuer of several organisations')
  const algorithms = server.id_token_signing_alg_values_supported?.filter(isOwnSignature)
  const config = new oidc.Configuration(
    { ...server, ...(algorithms && { id_token_signing_alg_values_supported: algorithms }) },
    clientId,
    clientSecret,
  )
  config.timeout = timeoutSeconds
  if (isLoopback(issuer)) oidc.allowInsecureRequests(config)
  // Without this the library trusts the connection and leaves the signature of the ID token unread.
  oidc.enableNonRepudiationChecks(config)
  return config
}

/** Fetches groups that the ID token does not list. */
async function fetchGroups(config: oidc.Configuration, settings: OidcSettings, token: string, subject: string) {
  if (settings.roles.length === 0 || !config.serverMetadata().userinfo_endpoint) return undefined
  return (await oidc.fetchUserInfo(config, token, subject))[settings.groupsClaim]
}

/** The provider of the settings. Asked at the first sign-in; a failed discovery is tried again by the next. */
export function createOidcProvider(settings: OidcSettings, publicUrl: URL): OidcProvider {
  const redirectUri = `${publicUrl.origin}${providerReturnPath}`
  let known: { config: Promise<oidc.Configuration>; at: number } | undefined

  async function configure(): Promise<oidc.Configuration> {
    if (known && performance.now() - known.at < discoveryMs) return known.config
    const attempt = { config: discover(settings), at: performance.now() }
    known = attempt
    attempt.config.catch(() => {
      if (known === attempt) known = undefined
    })
    return attempt.config
  }

  async function buildSignInUrl(request: ProviderRequest, isFresh: boolean): Promise<string> {
    const config = await configure()
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: settings.scopes,
      state: request.state,
      nonce: request.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
      // With it the provider has to say when it asked for credentials.
      max_age: isFresh ? '0' : String(maxAgeSeconds),
      ...(isFresh && { prompt: 'login' }),
    })
    if (url.protocol !== 'https:' && !isLoopback(url.href)) throw new ProviderError('invalid', 'authorization_endpoint')
    return url.href
  }

  async function redeem(query: string, request: ProviderRequest): Promise<ProviderClaims> {
    const config = await configure()
    const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}${query}`), {
      expectedState: request.state,
      expectedNonce: request.nonce,
      pkceCodeVerifier: request.codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new ProviderError('invalid', 'no ID token')
    const listed = claims[settings.groupsClaim]
    const groups = listed ?? (await fetchGroups(config, settings, tokens.access_token, claims.sub))
    return readClaims(settings, claims, groups)
  }

  return {
    buildSignInUrl: (request, isFresh) => nameFailures(buildSignInUrl(request, isFresh)),
    redeem: (query, request) => nameFailures(redeem(query, request)),
  }
}
