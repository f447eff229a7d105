import type { Schema } from './types.ts'

/** Sumsub's webhook as far as it is read; more fields are let through. */
export const sumsubForm: Schema = {
  type: 'object',
  description: 'The shape of Sumsub’s webhooks, signed by `X-Payload-Digest`.',
  properties: {
    type: { type: 'string', description: 'Such as `applicantReviewed`, `applicantPending` or `applicantOnHold`.' },
    applicantId: { type: 'string' },
    externalUserId: { type: 'string', description: 'The member’s id.' },
    createdAtMs: { type: 'string', description: 'When it was said: `2026-01-05 09:00:00.000`, in UTC.' },
    reviewResult: {
      type: 'object',
      properties: {
        reviewAnswer: { type: 'string', enum: ['GREEN', 'RED'] },
        reviewRejectType: { type: 'string', enum: ['RETRY', 'FINAL'] },
        rejectLabels: { type: 'array', items: { type: 'string' } },
        moderationComment: { type: 'string', description: 'For the member: the reason.' },
      },
    },
  },
  required: ['type', 'applicantId'],
}
