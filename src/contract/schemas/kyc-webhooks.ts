import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { webhookOutcomes } from '#contract/kyc-webhooks.ts'
import { filter, pageOf, pageQuery, PlatformId, Timestamp } from './common.ts'
import { tryOutcome } from './messages.ts'

/** One HTTP attempt to hand a case to the KYC provider. */
export const WebhookLog = z.object({
  id: z.string(),
  userId: z.string(),
  /** The member's KYC attempt that was sent. */
  attemptNumber: z.int(),
  ...tryOutcome,
  /** The member's latest attempt failed, this is its row, and nothing is under way: Retry is offered. */
  canRetry: z.boolean(),
  /** When the queue tries again by itself; null when it does not. */
  nextTryAt: z.nullable(Timestamp),
  createdAt: Timestamp,
})
export type WebhookLog = z.infer<typeof WebhookLog>

export const WebhookStats = z.object({
  totalAttempts: z.int(),
  successfulAttempts: z.int(),
  failedAttempts: z.int(),
  /** 0 to 100, one decimal; 0 while there are no attempts. */
  successRate: z.number(),
  /** The newest failed attempts, at most 10. */
  recentFailures: z.array(WebhookLog),
})
export type WebhookStats = z.infer<typeof WebhookStats>

/** A blank one is refused in the words of product 9.5, so the schema lets it through. */
const Target = z.strictObject({ userId: z.optional(z.nullable(z.string().check(z.maxLength(64)))) })
/** `success: false` is not a refusal: the attempt was made, `error` says how it went. */
const CaseAttempt = z.object({ webhookLogId: z.string(), success: z.boolean(), error: z.optional(z.string()) })
export type CaseAttempt = z.infer<typeof CaseAttempt>

export const WebhookLogsQuery = z.object({
  ...pageQuery,
  status: filter(webhookOutcomes),
  userId: z.optional(PlatformId),
  /** Only the last try of each case that failed within the last day and has not reached the provider since. */
  unreached: filter(['24h']),
})
export type WebhookLogsQuery = z.infer<typeof WebhookLogsQuery>

export const kycWebhookSchemas = {
  stats: { summary: 'Counts of attempts to reach the KYC provider, and the newest failures', reply: WebhookStats },
  logs: {
    summary: 'Attempts to reach the KYC provider, newest first',
    query: WebhookLogsQuery,
    reply: pageOf('logs', WebhookLog),
  },
  submit: {
    summary: "Send a member's latest submitted attempt to the KYC provider; answers when the attempt has ended",
    body: z.optional(Target),
    reply: CaseAttempt,
    refuses: ['not_found', 'delivery_under_way', 'kyc_provider_disabled', 'not_submitted'],
  },
  retry: {
    summary: "Try a member's latest failed attempt again; answers when the attempt has ended",
    body: z.optional(Target),
    reply: CaseAttempt,
    refuses: ['not_found', 'delivery_under_way', 'kyc_provider_disabled', 'nothing_to_retry'],
  },
} satisfies Record<string, RouteSchemas>
