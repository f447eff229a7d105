import type { IncomingHttpHeaders } from 'node:http'
import type { KycResult } from '#contract/schemas/platform-api.ts'
import type { SignatureVerdict } from '#server/adapters/standard-webhooks.ts'
import type { Services } from '#server/core/context.ts'
import type { ReceivedMessage } from '#server/features/messages/service.ts'
import type { Problem } from '#server/http/problems.ts'
import type { Json, Schema } from '#server/openapi/types.ts'

/** A KYC provider whose results the console accepts. Each is one file in `providers` and one line in its registry. */
export interface ResultProvider {
  /** The name in the rows of the log. It must never change. */
  name: string
  isConfigured(services: Services): boolean
  /** Whether a request is from this provider, by its headers. */
  matches(headers: IncomingHttpHeaders): boolean
  /** Checks the signature in memory, before the body is read. */
  verify(services: Services, request: SignedRequest): SignatureVerdict | Promise<SignatureVerdict>
  /** Reads a body of any form, whatever its signature. `json` is undefined if the body is not JSON. */
  read(headers: IncomingHttpHeaders, json: unknown): Reading
  /** What the provider sends if an answer was lost. If it signs again, an identical message is a replay. */
  retries: 'signed again' | 'the same bytes'
  description: ProviderDescription
}

export interface SignedRequest {
  headers: IncomingHttpHeaders
  body: Buffer
  /** The time of arrival. */
  at: Date
}

/** The content of a message in the console's terms. */
export interface Reading {
  /** Identical for a message that is sent again. Null if the form has no id. */
  id: string | null
  /** The time in the message. Null if it has none. */
  sentAt: string | null
  type: string
  named: ReceivedMessage['named']
  /** The facts of the message, without personal data. */
  excerpt: string | null
  content: Content
}

export type Content =
  | { kind: 'result'; result: CaseResult }
  /** A kind that changes nothing, or a test applicant. */
  | { kind: 'event' | 'sandbox' }
  | { kind: 'malformed'; problem: string; details?: Problem[] | undefined }

/** Who a result is about: an attempt, the member's attempt at the time of the result, or whichever has the id. */
export type Subject =
  | { by: 'attempt'; userId: string; attemptNumber: number; caseId: string }
  | { by: 'member'; userId: string }
  | { by: 'case or member'; id: string }

export interface CaseResult {
  subject: Subject
  result: KycResult['result']
  kycScore: number | undefined
  /** What the member may know. A rejection has a reason. */
  reason: string | null
  /** Whether a rejection is final. */
  isFinal: boolean
  /** What only operators may know. */
  notes: string | null
  /** Whether the provider decides the member. */
  autoProcessed: boolean
  /** The time of the result. Null if the message has none. */
  resultAt: string | null
}

/** The provider in the description of the API. */
export interface ProviderDescription {
  /** How its messages are signed, for the summary of the call. */
  signature: string
  /** A sentence for the text of the call. Null if the schema says enough. */
  text: string | null
  securityScheme: { name: string; scheme: Record<string, Json> }
  headers: readonly { name: string; description: string; example: string }[]
  body: Schema
}
