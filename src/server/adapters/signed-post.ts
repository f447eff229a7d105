import { buildExcerpt } from './excerpt.ts'
import { post, type PostRequest } from './outbound-http.ts'
import { signHeaders } from './standard-webhooks.ts'

/** The outcome of one try. */
export interface TryOutcome {
  success: boolean
  errorMessage: string | null
  httpStatus: number | null
  latencyMs: number | null
  responseExcerpt: string | null
  /** The pause that the other side requests, in seconds. */
  retryAfter?: number | undefined
  /** It was not sent, because the console did not write the message. */
  isForged?: true
}

interface SignedMessage extends Pick<PostRequest, 'body' | 'timeoutMs' | 'allowsPrivate' | 'signal'> {
  url: string
  secrets: readonly string[]
  /** The same in all tries. */
  id: string
  /** Personal data that the answer may contain. */
  personal: readonly (string | null)[]
}

/** One try to deliver a signed JSON message; a failure is an outcome too. Throws only when `signal` gave it up. */
export async function postSigned({ url, secrets, id, personal, ...rest }: SignedMessage): Promise<TryOutcome> {
  const at = new Date()
  const begun = performance.now()
  const { status, text, retryAfter, failure } = await post({
    ...rest,
    url: new URL(url),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'back-office',
      ...signHeaders(secrets, id, rest.body, at),
    },
  })
  const responseExcerpt = buildExcerpt(text, personal)
  const success = failure === null && status !== null && status >= 200 && status < 300
  return {
    success,
    errorMessage: success
      ? null
      : (failure ?? [`HTTP ${status}`, readReason(responseExcerpt)].filter(Boolean).join(': ')),
    httpStatus: status,
    latencyMs: Math.round(performance.now() - begun),
    responseExcerpt,
    retryAfter: success ? undefined : parseRetryAfter(retryAfter, at),
  }
}

/** The reason of a refusal, if the answer is JSON with one. */
function readReason(excerpt: string | null): string | null {
  try {
    const { reason, message } = Object(JSON.parse(excerpt ?? 'null')) as Record<string, unknown>
    return [reason, message].find((each) => typeof each === 'string') ?? null
  } catch {
    return null
  }
}

/** `Retry-After` is seconds or a date. Ignores invalid values. */
export function parseRetryAfter(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now.getTime()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
