import { AwsClient } from 'aws4fetch'
import { setTimeout as pause } from 'node:timers/promises'
import type { BucketPlace } from '#server/lib/bucket-url.ts'
import { sha256 } from '#server/lib/hash.ts'
import { StoreError } from './object-path.ts'

/** How to reach a bucket that speaks S3. */
export interface BucketSettings extends BucketPlace {
  accessKeyId: string
  secretAccessKey: string
  /** Before each further try. Where nobody waits for the answer, more patience does no harm. */
  pausesMs?: readonly number[]
  /** For one try, headers and body together. A statement may have 50 MB. */
  tryMs?: number
}

const usualTryMs = 30_000
const shortPausesMs = [150, 600]

/** The answer to the last try, when it was not what was asked for. */
class RefusedError extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    // A store says in XML why it refused.
    const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1]
    super(`it answered ${status}${code ? ` ${code}` : ''}`)
    this.status = status
  }
}

const describe = (error: unknown): string => {
  if (error instanceof RefusedError) return error.message
  if (error instanceof Error && error.name === 'TimeoutError') return 'it took too long'
  const { cause } = error as { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
}

const isTemporary = (status: number) => status === 429 || status >= 500
/** The store has not begun. After any other failure it may still do what was asked. */
const isTurnedAway = (error: unknown) => error instanceof RefusedError && [429, 503].includes(error.status)

export interface BucketCall {
  method?: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: Buffer
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** It is not tried again while an earlier try may still take effect. */
  isOnce?: boolean | undefined
}

export interface BucketAnswer {
  status: number
  headers: Headers
  body: Buffer
}

/** Statuses that say something about the object, and nothing against the store. */
const answered = [404, 416]

export interface BucketCaller {
  place: string
  /** `path` is what follows the bucket, with its slash or question mark. Answers 404 and 416 like success. Throws StoreError. */
  call: (path: string, call?: BucketCall) => Promise<BucketAnswer>
  /** The store has refused in words that a status does not tell. */
  refuse: (status: number, text: string) => StoreError
}

/** Sends signed requests. Tries again what may go well the next time; every request can be repeated. */
export function createBucketCaller(settings: BucketSettings, place: string): BucketCaller {
  const { accessKeyId, secretAccessKey, region, endpoint, bucket, pausesMs = shortPausesMs } = settings
  const { tryMs = usualTryMs } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })

  async function tryOnce(url: string, given: BucketCall): Promise<BucketAnswer> {
    const { method = 'GET', headers = {}, body, signal, timeoutMs = tryMs } = given
    const digest = sha256(body ?? Buffer.alloc(0)).toString('hex')
    const request = await client.sign(url, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': digest },
      ...(body && { body: new Uint8Array(body) }),
    })
    const timeout = AbortSignal.timeout(timeoutMs)
    const response = await fetch(request, {
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.ok || answered.includes(response.status))
      return { status: response.status, headers: response.headers, body: bytes }
    throw new RefusedError(response.status, bytes.toString('utf8', 0, 2000))
  }

  return {
    place,
    async call(path, given = {}) {
      const url = `${endpoint}/${bucket}${path}`
      for (let tries = 0; ; tries++)
        try {
          return await tryOnce(url, given)
        } catch (error) {
          given.signal?.throwIfAborted()
          const isFinal = given.isOnce
            ? !isTurnedAway(error)
            : error instanceof RefusedError && !isTemporary(error.status)
          const wait = isFinal ? undefined : pausesMs[tries]
          if (wait === undefined) throw new StoreError(place, describe(error), error)
          await pause(wait, undefined, { signal: given.signal })
        }
    },
    refuse: (status, text) => new StoreError(place, new RefusedError(status, text).message),
  }
}
