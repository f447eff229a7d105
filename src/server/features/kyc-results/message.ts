import { isUtf8 } from 'node:buffer'
import { buildExcerpt } from '#server/adapters/excerpt.ts'
import { type SignatureVerdict, toleranceSeconds } from '#server/adapters/standard-webhooks.ts'
import type { Services } from '#server/core/context.ts'
import type { ReceivedMessage } from '#server/features/messages/service.ts'
import { joinProblems } from '#server/http/problems.ts'
import { hasDuplicateName } from '#server/lib/json.ts'
import type { Content, Reading, ResultProvider, SignedRequest } from './providers/provider.ts'
import { findProvider } from './providers/registry.ts'

/** A received message whose signature was judged and whose body was read. */
export interface Message extends ReceivedMessage {
  signature: SignatureVerdict
  content: Content
  /** Whether the provider signs each try again. */
  isSignedAnew: boolean
}

/** The provider and the verdict on the signature, before the body is read. */
interface JudgedRequest {
  provider: ResultProvider
  signature: SignatureVerdict
}

export async function judgeRequest(services: Services, request: SignedRequest): Promise<JudgedRequest> {
  const provider = findProvider(request.headers)
  return { provider, signature: await provider.verify(services, request) }
}

/** Reads the body of a judged request. A message with a time in the future is stale, no matter who signed it. */
export function readRequest({ provider, signature }: JudgedRequest, { headers, body, at }: SignedRequest): Message {
  const text = body.toString()
  const json = isUtf8(body) ? readJson(text) : undefined
  const reading = provider.read(headers, json)
  // Providers send again for days with the time of the event, so only a future time is wrong.
  const isAhead = reading.sentAt !== null && Date.parse(reading.sentAt) > at.getTime() + toleranceSeconds * 1000
  return {
    ...toMessage(provider, { ...reading, content: checkContent(reading.content, text, json) }),
    signature: signature === 'valid' && isAhead ? 'stale' : signature,
  }
}

/** Treats a reading as a message that its provider signed. */
export const toMessage = (provider: ResultProvider, reading: Reading): Message => ({
  ...reading,
  source: provider.name,
  signature: 'valid',
  isSignedAnew: provider.retries === 'signed again',
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
  if (content.kind !== 'malformed' || !content.details) return content
  // The log shows the problem, and the sender chose the names of unknown fields: one may be an e-mail address.
  const problems = content.details.map(({ field, message }) => ({ field: buildExcerpt(field) ?? 'a field', message }))
  return { ...content, problem: joinProblems(problems) }
}
