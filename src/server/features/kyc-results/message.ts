import { isUtf8 } from 'node:buffer'
import { buildExcerpt } from '#server/adapters/excerpt.ts'
import { type SignatureVerdict, toleranceSeconds } from '#server/adapters/standard-webhooks.ts'
import type { Services } from '#server/core/context.ts'
import type { Received } from '#server/features/messages/service.ts'
import { hasDuplicateName } from '#server/lib/json.ts'
import type { Content, Reading, ResultProvider, SignedRequest } from './providers/provider.ts'
import { findProvider } from './providers/registry.ts'

/** A message as it came in, judged and read. */
export interface Message extends Received {
  signature: SignatureVerdict
  content: Content
  /** Whether the provider signs each try anew. */
  isSignedAnew: boolean
}

/** A request whose provider is known and whose signature is judged, before anything of its body is read. */
interface JudgedRequest {
  provider: ResultProvider
  signature: SignatureVerdict
}

export async function judgeRequest(services: Services, request: SignedRequest): Promise<JudgedRequest> {
  const provider = findProvider(request.headers)
  return { provider, signature: await provider.verify(services, request) }
}

/** Reads a request that is judged. One that names a time to come is stale, whoever signed it. */
export function readRequest({ provider, signature }: JudgedRequest, { headers, body, at }: SignedRequest): Message {
  const text = body.toString()
  const json = isUtf8(body) ? readJson(text) : undefined
  const reading = provider.read(headers, json)
  // Sent again for days under the time of the event, so that only a time to come is a wrong one.
  const isAhead = reading.sentAt !== null && Date.parse(reading.sentAt) > at.getTime() + toleranceSeconds * 1000
  return {
    ...toMessage(provider, { ...reading, content: checkContent(reading.content, text, json) }),
    signature: signature === 'valid' && isAhead ? 'stale' : signature,
  }
}

/** What was read, as a message that its provider has signed. */
export const toMessage = (provider: ResultProvider, reading: Reading): Message => ({
  ...reading,
  source: provider.name,
  signature: 'valid',
  isSignedAnew: provider.retries === 'signed anew',
})

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checkContent(content: Content, text: string, json: unknown): Content {
  if (json === undefined) return { kind: 'malformed', problem: 'The body is not valid JSON in UTF-8' }
  if (hasDuplicateName(text, json)) return { kind: 'malformed', problem: 'The body gives a field twice' }
  if (content.kind !== 'malformed') return content
  // It may repeat names of fields, which may be anything of any length.
  return { ...content, problem: buildExcerpt(content.problem) ?? 'The body is not in order' }
}
