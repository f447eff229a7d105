import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './ip-ranges.ts'

/** Reads at most this much of an answer. */
const maxBytes = 64 * 1024

export interface PostRequest {
  url: URL
  headers: Record<string, string>
  body: string
  /** For connecting, headers and body together. */
  timeoutMs: number
  /** Whether loopback and private addresses are allowed. */
  allowsPrivate: boolean
  /** Aborts the request, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
  resolve?: Resolve | undefined
}
export type Resolve = (host: string) => Promise<LookupAddress[]>

export interface PostResult {
  /** Null if no answer began. */
  status: number | null
  /** The beginning of the answer's body. */
  text: string
  retryAfter: string | undefined
  /** Why there is no complete answer, or why it was refused. Null for a complete answer of any status. */
  failure: string | null
}

class AddressRefusedError extends Error {
  constructor(address: string) {
    super(`Address refused: ${address} is not public (WEBHOOK_ALLOW_PRIVATE is off)`)
  }
}

const resolveByDns: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' })

/**
 * Resolves the name when connecting and allows only public addresses. The connection uses the checked address, so that
 * a name cannot resolve differently the second time.
 */
function createGuardedLookup({ allowsPrivate, resolve = resolveByDns }: PostRequest): LookupFunction {
  const openAddresses = async (host: string) => {
    const found = await resolve(host)
    const open = allowsPrivate ? found : found.filter(({ address }) => isPublicAddress(address))
    if (open.length === 0) throw new AddressRefusedError(found[0]?.address ?? host)
    return open
  }
  return (host, options, answer) => {
    openAddresses(host).then(
      (open) => (options.all ? answer(null, open) : answer(null, open[0]!.address, open[0]!.family)),
      (error: Error) => answer(error, ''),
    )
  }
}

/**
 * Sends one POST on its own connection. Never follows redirects, verifies certificates, and limits time and size.
 * Failures are results. Throws only if `signal` aborts it.
 */
export function post(wanted: PostRequest): Promise<PostResult> {
  const { url, headers, body, timeoutMs, signal } = wanted
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const answer: PostResult = { status: null, text: '', retryAfter: undefined, failure: null }
    // An IP address in the URL is not looked up, so it is checked here.
    if (!wanted.allowsPrivate && isIP(host) && !isPublicAddress(host))
      return resolve({ ...answer, failure: new AddressRefusedError(host).message })

    const chunks: Buffer[] = []
    let size = 0
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      agent: false,
      lookup: createGuardedLookup(wanted),
      rejectUnauthorized: true,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    })
    const cleanUp = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      request.destroy()
    }
    const end = (failure: string | null) => {
      cleanUp()
      resolve({ ...answer, text: Buffer.concat(chunks).toString('utf8'), failure })
    }
    const giveUp = () => {
      cleanUp()
      reject(signal?.reason instanceof Error ? signal.reason : new Error('given up'))
    }
    const timer = setTimeout(() => end(`Timed out after ${timeoutMs / 1000} s`), timeoutMs)
    signal?.addEventListener('abort', giveUp)

    request.on('error', (error) => end(describeFailure(error, answer.status !== null)))
    request.on('close', () =>
      end(answer.status === null ? 'The connection was closed without an answer' : brokenAnswer),
    )
    request.on('response', (response) => {
      answer.status = response.statusCode ?? null
      answer.retryAfter = response.headers['retry-after']
      const status = response.statusCode ?? 0
      if (status >= 300 && status < 400) return end(`Refused redirect ${status}`)
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk.subarray(0, maxBytes - size))
        size += chunk.length
        if (size >= maxBytes) end(null)
      })
      response.on('end', () => end(null))
      response.on('error', () => end(brokenAnswer))
    })
    request.end(body)
  })
}

const brokenAnswer = 'The connection broke in the middle of the answer'
const failureTexts: Record<string, string> = {
  ECONNREFUSED: 'Could not connect: connection refused',
  ECONNRESET: 'The connection was reset',
  EPIPE: 'The connection was reset',
  ENOTFOUND: 'Could not connect: unknown host name',
  EAI_AGAIN: 'Could not connect: the host name could not be resolved',
  ETIMEDOUT: 'Could not connect: no answer from the host',
  EHOSTUNREACH: 'Could not connect: host unreachable',
  ENETUNREACH: 'Could not connect: network unreachable',
}

/** The failure without the URL, which may contain credentials. */
export function describeFailure(error: Error, hasAnswer: boolean): string {
  if (error instanceof AddressRefusedError) return error.message
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code.startsWith('HPE_')) return 'The answer was not valid HTTP'
  if (/CERT|SELF_SIGNED|ISSUER|VERIFY|SSL|TLS|EPROTO/.test(code)) return `TLS was refused (${code})`
  if (hasAnswer) return brokenAnswer
  return failureTexts[code] ?? `Could not connect${code ? ` (${code})` : ''}`
}
