import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import type { WebhookLog } from '#contract/schemas/kyc-webhooks.ts'
import type { Delivery } from '#contract/schemas/deliveries.ts'
import type { ExamplesOf } from './example-types.ts'
import { at, contract, hash, later, memberId, page, user, wallet, who } from './samples.ts'

const id = memberId
const step = { id: '12', attemptNumber: 1, status: 'approved', submittedAt: at } as const
const step2 = { ...step, dateOfBirth: '1991-03-14', nationality: 'PT', countryOfResidence: 'ES', user: who }
const step3 = { ...step, documentType: 'passport', frontDocumentUrl: 'doc_3f9a2c', backDocumentUrl: null }
const step4 = { ...step, selfieUrl: 'doc_7b1e40' }
const submission = {
  id: '12',
  userId: id,
  user: who,
  attemptNumber: 1,
  result: 'approved',
  autoProcessed: false,
  caseId: 'case_5c1f0d8a7c29b344',
  submittedAt: at,
  rejectionReason: null,
} as const
const providerWord = {
  kycScore: 92,
  providerResult: 'approved',
  providerReason: null,
  providerResultAt: later,
} as const
const sent = { personalData: true, documentType: 'passport', front: true, back: false, selfie: true }
const verification: Verification = {
  id: '12',
  userId: id,
  user: who,
  attemptNumber: 1,
  status: 'pending',
  ...providerWord,
  documentType: 'passport',
  nationality: 'PT',
  submittedAt: at,
  rejectionReason: null,
  adminNotes: null,
  decidedBy: null,
  decidedAt: null,
  claimedBy: null,
  anotherLook: null,
  sent,
  version: 1,
}
const waiting = { ...user, kycStatus: 'under_review', kycCompleted: false, membershipId: null } as const
const reviewCase = {
  latinName: { first: null, last: null },
  verification: { ...verification, claimedBy: 'ada' },
  user: waiting,
  step2: { ...step2, status: 'submitted' as const },
  step3: { ...step3, status: 'submitted' as const },
  step4: { ...step4, status: 'submitted' as const },
  earlierAttempts: [],
  claimedUntil: '2026-01-05T09:22:30.000Z',
}
const listQuery = { page: '1', limit: '50', search: 'lima' }

export const users: ExamplesOf<'users'> = {
  list: { query: { ...listQuery, kycStatus: 'completed' }, reply: { users: [user], ...page } },
  viewers: { params: { id }, reply: { viewers: [{ username: 'ada', views: 3, firstAt: at, lastAt: later }] } },
  detail: {
    params: { id },
    reply: {
      user,
      kycVerification: {
        rejectionReason: null,
        adminNotes: null,
        attemptNumber: 1,
        decidedBy: 'ada',
        decidedAt: later,
      },
      step2History: [step2],
      step3History: [step3],
      step4History: [step4],
      submissionHistory: [submission],
      userWallets: [{ id: '5', walletAddress: wallet, createdAt: at }],
      userTransactions: [{ id: 't-1', type: 'deposit', amount: '250.00', status: 'completed', createdAt: at }],
      blockchainTransactions: [
        {
          id: '9',
          transactionHash: hash,
          tokenSymbol: 'SOLAR',
          amount: '10.5',
          projectName: 'Solar Park',
          receivedAt: at,
        },
      ],
      userFractions: [{ id: 'f-1', projectName: 'Solar Park', amount: '12.5', tokenAddress: contract, receivedAt: at }],
      banInfo: null,
      totals: { userWallets: 1, userTransactions: 1, blockchainTransactions: 1, userFractions: 1, orders: 1 },
    },
  },
  ban: {
    params: { id },
    body: { reason: 'Chargeback fraud' },
    reply: {
      message: 'User banned successfully',
      user: { ...user, kycBanned: true, bannedReason: 'Chargeback fraud', version: 4 },
    },
  },
  unban: { params: { id }, reply: { message: 'User unbanned successfully', user: { ...user, version: 5 } } },
  decideKyc: {
    params: { id, action: 'reject' },
    body: { rejectionReason: 'The document has expired. Please upload a valid one.', adminNotes: 'Expired in 2025' },
    reply: { message: 'KYC rejected', user: { ...waiting, kycStatus: 'rejected', version: 4 } },
  },
}

const userId = id
export const kycReviews: ExamplesOf<'kycReviews'> = {
  verifications: { query: { status: 'pending' }, reply: { verifications: [verification], ...page } },
  submissions: {
    query: listQuery,
    reply: {
      history: [{ ...submission, canApprove: false, userVersion: 3, verificationId: null, sent: null, providerWord }],
      ...page,
    },
  },
  step2: { query: listQuery, reply: { history: [{ ...step2, userId }], ...page } },
  step3: { query: listQuery, reply: { history: [{ ...step3, userId, user: who }], ...page } },
  step4: { query: listQuery, reply: { history: [{ ...step4, userId, user: who }], ...page } },
  figures: { reply: { totalSubmissions: 120, underReview: 8, approved: 97, manual: 60, auto: 52 } },
  review: {
    params: { id: '12' },
    body: { action: 'approve', adminNotes: 'Matches the passport' },
    reply: {
      message: 'KYC approved',
      verification: { ...verification, status: 'approved', decidedBy: 'ada', decidedAt: later, sent: null, version: 2 },
      user,
    },
  },
  claimNext: { body: {}, reply: { case: reviewCase, waiting: 8, position: 1 } },
  detail: { params: { id: '12' }, reply: { case: reviewCase, waiting: 8, position: 1 } },
  claim: { params: { id: '12' }, reply: { case: reviewCase, waiting: 8, position: 1 } },
  askAnotherLook: {
    params: { id: '12' },
    body: { note: 'The photo looks edited. Please compare with attempt 1.' },
    reply: {
      message: 'Marked for another look',
      verification: {
        ...verification,
        anotherLook: { by: 'ada', at: later, note: 'The photo looks edited. Please compare with attempt 1.' },
      },
    },
  },
  endAnotherLook: { params: { id: '12' }, reply: { message: 'Back in the queue', verification } },
  links: {
    params: { id },
    reply: {
      links: [
        {
          fact: 'phone',
          members: [
            {
              member: who,
              kycStatus: 'rejected',
              decidedAt: later,
              rejectionReason: 'The document has expired. Please upload a valid one.',
              bannedAt: null,
              picture: null,
            },
          ],
          total: 1,
        },
      ],
    },
  },
  release: { params: { id: '12' } },
}

const failed: WebhookLog = {
  id: '31',
  userId,
  attemptNumber: 1,
  tryNumber: 2,
  success: false,
  errorMessage: 'HTTP 503',
  httpStatus: 503,
  latencyMs: 184,
  responseExcerpt: 'Service Unavailable',
  startedBy: 'queue',
  canRetry: true,
  nextTryAt: '2026-01-05T09:17:30.000Z',
  createdAt: later,
}
export const kycWebhooks: ExamplesOf<'kycWebhooks'> = {
  stats: {
    reply: {
      totalAttempts: 200,
      successfulAttempts: 191,
      failedAttempts: 9,
      successRate: 95.5,
      recentFailures: [failed],
    },
  },
  logs: { query: { status: 'failed', limit: '10' }, reply: { logs: [failed], ...page, limit: 10 } },
  submit: { body: { userId }, reply: { webhookLogId: '32', success: true } },
  retry: { body: { userId }, reply: { webhookLogId: '33', success: false, error: 'HTTP 503' } },
}

const delivery: Delivery = {
  id: 'event-77',
  kind: 'event',
  direction: 'out',
  type: 'member.banned',
  endpointId: '1',
  endpoint: 'Platform',
  operator: null,
  entityType: 'user',
  entityId: id,
  attemptNumber: null,
  messageId: 'evt_0d8a7c',
  state: 'delivered',
  signature: null,
  tries: 1,
  lastStatus: 204,
  lastLatencyMs: 41,
  lastNote: null,
  lastTriedAt: later,
  nextTryAt: null,
  isBlocked: false,
  isSuperseded: false,
  canResend: true,
  createdAt: at,
}
export const deliveries: ExamplesOf<'deliveries'> = {
  list: { query: { kind: 'event', state: 'failed' }, reply: { deliveries: [delivery], ...page } },
  endpoint: { reply: { host: 'shop.example.com', pausedAt: null, waiting: 0, oldestWaitingAt: null, failed: 0 } },
  detail: {
    params: { id: 'event-77' },
    reply: {
      ...delivery,
      body: JSON.stringify({ type: 'member.banned', timestamp: at, data: { id, reason: 'Chargeback fraud' } }),
      attempts: [
        {
          id: '88',
          tryNumber: 1,
          success: true,
          errorMessage: null,
          httpStatus: 204,
          latencyMs: 41,
          responseExcerpt: null,
          startedBy: 'queue',
          createdAt: later,
        },
      ],
    },
  },
  resend: {
    body: { filter: { kind: 'event', state: 'failed', endpoint: '1', from: '2026-01-05', to: '2026-01-05' } },
    reply: { queued: 3, skipped: 1, message: '3 messages go out again; 1 was left out' },
  },
}

const viewToken = 'kq3Yw0sZ7mB1nXcVtR5uJpL8aHdEfG2iO4yT6wQzK9M'
export const documents: ExamplesOf<'documents'> = {
  token: { body: { documentPath: 'doc_3f9a2c', userId }, reply: { token: viewToken } },
  view: { params: { token: viewToken }, reply: { token: viewToken, userId, documentPath: 'doc_3f9a2c' } },
  proxy: { params: { token: viewToken } },
}
