import { type Agent, request } from 'node:http'
import * as z from 'zod'

/**
 * `acknowledged`: the whole answer of a call that was done came. `refused`: the answer says that nothing was changed, or the call never left.
 * `unknown`: no whole answer came, or the answer says that it is not known.
 */
export type Outcome = 'acknowledged' | 'refused' | 'unknown'

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface Answer {
  outcome: Outcome
  /** Null where no whole answer came. */
  status: number | null
  /** Of a refusal: its error code, or the code of the broken connection. */
  code: string | null
  requestId: string | null
  body: string
  /** When the call left and when its outcome was known, by `performance.now()`. */
  from: number
  to: number
}

const Refusal = z.object({ code: z.string() })

function readCode(body: string): string | null {
  try {
    return Refusal.safeParse(JSON.parse(body)).data?.code ?? null
  } catch {
    return null
  }
}

function judge(status: number, code: string | null, body: string): Outcome {
  if (status < 300) return 'acknowledged'
  // An import that stops says which of its lines stand, and may be sent again.
  if (body.includes('The import stopped')) return 'unknown'
  // Any fault but a stated refusal leaves open what was done.
  return status < 500 || (status === 503 && code !== 'outcome_unknown') ? 'refused' : 'unknown'
}

/** Makes one call and waits for its whole answer, for at most `timeoutMs`. Never rejects. */
export function makeCall(
  origin: string,
  { method, path, headers, body }: HttpCall,
  { agent, timeoutMs = 30_000 }: { agent: Agent; timeoutMs?: number },
): Promise<Answer> {
  const from = performance.now()
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.message
      const outcome = code === 'ECONNREFUSED' ? 'refused' : 'unknown'
      resolve({ outcome, status: null, code, requestId: null, body: '', from, to: performance.now() })
    }
    const length = { 'content-length': String(Buffer.byteLength(body ?? '')) }
    const all = { ...(method !== 'GET' && length), ...headers }
    const sent = request(`${origin}${path}`, { method, agent, headers: all }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', fail)
      reply.on('close', () => reply.complete || fail(new Error('the answer broke off')))
      reply.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const status = reply.statusCode ?? 0
        const code = status < 400 ? null : readCode(text)
        const requestId = String(reply.headers['x-request-id'] ?? '') || null
        resolve({
          outcome: judge(status, code, text),
          status,
          code,
          requestId,
          body: text,
          from,
          to: performance.now(),
        })
      })
    })
    const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), timeoutMs)
    sent.on('error', fail).on('close', () => clearTimeout(timer))
    sent.end(body)
  })
}
