import type { Routes } from './route.ts'
import type { kycWebhookSchemas } from './schemas/kyc-webhooks.ts'

export const webhookOutcomes = ['success', 'failed'] as const

/** The size of the shown log (product 14). */
export const shownLogs = 10
export const logPollSeconds = 10

export const memberIdRequired = 'Please enter a valid User ID'

export const kycWebhookRoutes: Routes<typeof kycWebhookSchemas> = {
  stats: { method: 'GET', path: '/api/kyc/webhook-stats', access: 'messages.view' },
  logs: {
    method: 'GET',
    path: '/api/kyc/webhook-logs',
    access: 'messages.view',
    // Polled every few seconds, also by callers without the header (product 2.2).
    passive: true,
  },
  submit: {
    method: 'POST',
    path: '/api/kyc/submit-for-verification',
    access: 'messages.send',
    // The provider has 10 seconds, and another try of the member may have to end first.
    timeoutSeconds: 40,
  },
  retry: { method: 'POST', path: '/api/kyc/webhook-retry', access: 'messages.send', timeoutSeconds: 40 },
}
