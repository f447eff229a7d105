import type { Config } from '#server/config.ts'
import { excerptOf } from './excerpt.ts'
import { post, type Resolve } from './outbound-http.ts'
import { signedHeaders } from './standard-webhooks.ts'

/** What the provider is told of a case; documents stay here. */
export interface KycCase {
  caseId: string
  userId: string
  attemptNumber: number
  submittedAt: string
  email: string
  legalFirstName: string | null
  legalLastName: string | null
  dateOfBirth: string | null
  nationality: string | null
  countryOfResidence: string | null
  documentType: string | null
}

/** How one try to hand a case over went. */
export interface TryOutcome {
  success: boolean
  errorMessage: string | null
  httpStatus: number | null
  latencyMs: number | null
  responseExcerpt: string | null
  /** The pause the provider asks for, in seconds. */
  retryAfter?: number | undefined
}

export interface ProviderAddress {
  url: string
  secrets: readonly string[]
  /** Our own sandbox on loopback, which `WEBHOOK_ALLOW_PRIVATE` does not concern. */
  isSandbox: boolean
}

/** The KYC provider as far as the console speaks to it. */
export interface KycProvider {
  /** Whether cases go to the sandbox, for want of a set address. It has none itself while it starts. */
  hasSandbox: boolean
  /** Where cases go; undefined while no provider is set. */
  find(): Promise<ProviderAddress | undefined>
  /** One try, whose failure is an outcome too. `webhookId` is the same over all tries of one sending. */
  send(to: ProviderAddress, webhookId: string, sent: KycCase, signal: AbortSignal): Promise<TryOutcome>
}

interface Options {
  /** Over headers and body together (PRODUCT 3.18). */
  timeoutMs?: number
  resolve?: Resolve
  /** Where cases go when no address is set. */
  findSandbox?: () => Promise<ProviderAddress | undefined>
}

export function kycProvider(config: Config, options: Options = {}): KycProvider {
  const { timeoutMs = 10_000, resolve, findSandbox } = options
  const { kycWebhookUrl: url, kycWebhookSecrets: secrets } = config
  return {
    hasSandbox: !url && findSandbox !== undefined,
    find: async () => (url ? { url, secrets, isSandbox: false } : findSandbox?.()),
    async send(to, webhookId, sent, signal) {
      const body = JSON.stringify({ type: 'kyc.submitted', ...sent })
      const at = new Date()
      const begun = performance.now()
      const { status, text, retryAfter, failure } = await post({
        url: new URL(to.url),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'back-office',
          ...signedHeaders(to.secrets, webhookId, body, at),
        },
        body,
        timeoutMs,
        allowsPrivate: to.isSandbox || config.webhookAllowPrivate,
        signal,
        resolve,
      })
      const responseExcerpt = excerptOf(text, personal(sent))
      const success = failure === null && status !== null && status >= 200 && status < 300
      return {
        success,
        errorMessage: success
          ? null
          : (failure ?? [`HTTP ${status}`, reasonIn(responseExcerpt)].filter(Boolean).join(': ')),
        httpStatus: status,
        latencyMs: Math.round(performance.now() - begun),
        responseExcerpt,
        retryAfter: success ? undefined : secondsOf(retryAfter, at),
      }
    },
  }
}

const personal = (sent: KycCase) => [sent.email, sent.legalFirstName, sent.legalLastName, sent.dateOfBirth]

/** Why the provider says it refused, where its answer is JSON that names a reason. */
function reasonIn(excerpt: string | null): string | null {
  try {
    const { reason, message } = Object(JSON.parse(excerpt ?? 'null')) as Record<string, unknown>
    return [reason, message].find((each) => typeof each === 'string') ?? null
  } catch {
    return null
  }
}

/** `Retry-After` is seconds or a date; nonsense is as if it were absent. */
function secondsOf(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now.getTime()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
