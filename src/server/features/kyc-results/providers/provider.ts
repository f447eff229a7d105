import type { IncomingHttpHeaders } from 'node:http'
import type { KycResult } from '#contract/schemas/platform-api.ts'
import type { SignatureVerdict } from '#server/adapters/standard-webhooks.ts'
import type { Services } from '#server/core/context.ts'
import type { Received } from '#server/features/messages/service.ts'
import type { Problem } from '#server/http/problems.ts'
import type { Json, Schema } from '#server/openapi/types.ts'

/** A KYC provider as far as its results concern the console: one file each in `providers`, listed in its registry. */
export interface ResultProvider {
  /** In the rows of the log. It never changes once there are rows. */
  name: string
  isConfigured(services: Services): boolean
  /** Whether a request is in this provider's form, by its headers alone. */
  matches(headers: IncomingHttpHeaders): boolean
  /** Judges the signature in memory, before anything of the body is read. */
  verify(services: Services, request: SignedRequest): SignatureVerdict | Promise<SignatureVerdict>
  /** Reads a body of any form, whatever its signature. `json` is undefined where the body is no JSON. */
  read(headers: IncomingHttpHeaders, json: unknown): Reading
  /** What it sends when an answer was lost. Of one that signs anew, the very same message is one played again. */
  retries: 'signed anew' | 'the same bytes'
  description: ProviderDescription
}

export interface SignedRequest {
  headers: IncomingHttpHeaders
  body: Buffer
  /** When it came. */
  at: Date
}

/** What a message says, in the console's own terms. */
export interface Reading {
  /** The same for a message that is sent again; null where its form names none. */
  id: string | null
  /** The time that the message names as its own; null where it names none. */
  sentAt: string | null
  type: string
  named: Received['named']
  /** Its facts, without personal data. */
  excerpt: string | null
  content: Content
}

export type Content =
  | { kind: 'result'; result: CaseResult }
  /** Of a kind that changes nothing, or of an applicant who is made up. */
  | { kind: 'event' | 'sandbox' }
  | { kind: 'malformed'; problem: string; details?: Problem[] | undefined }

/** Whom a result is of: an attempt, the attempt of a member at the result's own time, or whichever of both has the id. */
export type Subject =
  | { by: 'attempt'; userId: string; attemptNumber: number; caseId: string }
  | { by: 'member'; userId: string }
  | { by: 'case or member'; id: string }

export interface CaseResult {
  subject: Subject
  result: KycResult['result']
  kycScore: number | undefined
  /** What the member may know of it. A rejection has one. */
  reason: string | null
  /** Whether a rejection is meant for good. */
  isFinal: boolean
  /** What operators alone may know of it. */
  notes: string | null
  /** Whether the provider itself decides the member. */
  autoProcessed: boolean
  /** The result's own time; null where it names none. */
  resultAt: string | null
}

/** What the description of the API says of a provider. */
export interface ProviderDescription {
  /** How its messages are signed, in the summary of the call. */
  signature: string
  /** A sentence of the call's text; null where the schema says it all. */
  text: string | null
  securityScheme: { name: string; scheme: Record<string, Json> }
  headers: readonly { name: string; description: string; example: string }[]
  body: Schema
}
