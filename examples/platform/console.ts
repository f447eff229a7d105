import { setTimeout as pause } from 'node:timers/promises'

/** A refusal of the console, with its message. */
export class RefusedError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface Call {
  method: 'GET' | 'PUT' | 'POST'
  /** The path below `/api/platform/v1`. */
  path: string
  json?: unknown
  picture?: Buffer
  idempotencyKey?: string
}
export type CallConsole = <Reply>(call: Call) => Promise<Reply>

const maxTries = 8
const longestPauseMs = 60_000

/**
 * The console's platform API. Every call is safe to repeat: PUTs by their ids, POSTs by their Idempotency-Key. So calls without
 * an answer, and those told to come later, are repeated. Throws RefusedError for the rest.
 */
export function createConsoleClient(
  address: string,
  key: string,
  wait: (ms: number) => Promise<unknown> = pause,
): CallConsole {
  return async <Reply>({ method, path, json, picture, idempotencyKey }: Call) => {
    const headers: Record<string, string> = { authorization: `Bearer ${key}` }
    if (picture) headers['content-type'] = 'image/png'
    else if (json !== undefined) headers['content-type'] = 'application/json'
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
    const body = picture ? new Uint8Array(picture) : json === undefined ? null : JSON.stringify(json)

    for (let attempt = 1; ; attempt += 1) {
      const asked = { method, headers, body, signal: AbortSignal.timeout(30_000) }
      const reply = await fetch(`${address}/api/platform/v1${path}`, asked)
        .then(async (got) => ({ ...readHead(got), said: (await got.json()) as Reply & { message: string } }))
        .catch((error: unknown) => {
          if (attempt === maxTries) throw new RefusedError(503, `The console does not answer: ${String(error)}`)
          if (attempt === 1) console.error(`${address} does not answer; asked again for half a minute`)
        })
      if (reply?.isGood) return reply.said
      const isFinal = attempt === maxTries || ![429, 502, 503, 504].includes(reply?.status ?? 503)
      if (reply && isFinal) throw new RefusedError(reply.status, reply.said.message)
      await wait(Math.min((reply?.later || 2 ** attempt / 8) * 1000, longestPauseMs))
    }
  }
}

const readHead = ({ ok: isGood, status, headers }: Response) => ({
  isGood,
  status,
  later: Number(headers.get('retry-after')),
})
