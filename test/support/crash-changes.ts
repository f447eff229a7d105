import { afterAll } from 'vitest'
import { runJob } from './jobs.ts'
import { createAccountChanges } from './crash-account.ts'
import { createApprovalChanges } from './crash-approvals.ts'
import { createBankChanges, type NamedChange } from './crash-bank.ts'
import { createBulkChanges } from './crash-bulk.ts'
import { createCrashFixtures } from './crash-fixtures.ts'
import { createErasureChanges } from './crash-erasure.ts'
import { createFactorChanges } from './crash-factors.ts'
import { createCaseChanges } from './crash-kyc.ts'
import { createNoteChanges } from './crash-notes.ts'
import { createOperatorChanges } from './crash-operators.ts'
import { createSecurityChanges } from './crash-security.ts'
import { createViewChanges } from './crash-views.ts'
import { createSignInChanges } from './crash-sign-ins.ts'
import { createTreasuryChanges } from './crash-treasury.ts'
import { type Change, type CrashPoints, startCrashTest, type Reply } from './crash-test.ts'
import { startFakeNode } from './fakes/chain-node.ts'
import { makeDocument, makeMember, makeOrder, newAddress } from './make.ts'
import { createOidcChanges, startCrashProvider } from './crash-oidc.ts'
import { startServer } from './server.ts'

const broken = (): Reply => ({ statusCode: 0, body: '' })

/** Every change that a call of the console or a job makes, with what proves that it stands whole or not at all. */
export async function createChanges(points: CrashPoints): Promise<NamedChange[]> {
  const node = await startFakeNode()
  afterAll(() => node.close())
  const oidc = await startCrashProvider()
  const server = await startServer({
    BSC_RPC_URLS: node.url,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'console@example.com',
    ...oidc.settings,
  })
  const { crashAtEachStatement, cookie } = await startCrashTest(server, points)

  const fixtures = createCrashFixtures(server)
  const { rowId, makeCase, makeWaitingOrder, claimFor, makeCaseBesideAHeldOne, makeToken, makeEndpoint } = fixtures

  const change =
    <Fixture>(described: Change<Fixture>) =>
    () =>
      crashAtEachStatement(described)

  return [
    [
      'a ban',
      'POST /api/users/:id/ban',
      change({
        make: () => makeMember(server),
        act: ({ call }, { id }) => call('POST', `/api/users/${id}/ban`, { reason: 'Fraud' }),
        statusAgain: 409,
      }),
    ],
    [
      'the end of a ban',
      'POST /api/users/:id/unban',
      change({
        make: () => makeMember(server, { banned: true }),
        act: ({ call }, { id }) => call('POST', `/api/users/${id}/unban`),
        statusAgain: 409,
      }),
    ],
    ...(['approve', 'reject', 'reset'] as const).map((action): NamedChange => [
      `the decision to ${action} a member's KYC`,
      'POST /api/users/:id/kyc/:action',
      change({
        make: makeCase,
        act: ({ call }, { memberId }) =>
          call('POST', `/api/users/${memberId}/kyc/${action}`, { rejectionReason: 'Blurred', adminNotes: 'Seen' }),
        // Product 7.1: without If-Match a decision may follow any but an approval.
        ...(action === 'approve' && { statusAgain: 409 }),
      }),
    ]),
    ...(['approve', 'reject'] as const).map((action): NamedChange => [
      `a review that comes to ${action}`,
      'POST /api/kyc/verifications/:id/review',
      change({
        make: async () => {
          const made = await makeCase()
          await claimFor(made.id)
          return made
        },
        act: ({ call }, { id }) =>
          call('POST', `/api/kyc/verifications/${id}/review`, { action, rejectionReason: 'Blurred', adminNotes: '' }),
        statusAgain: 409,
      }),
    ]),
    [
      'the claim of a case, which lets go of the one before',
      'POST /api/kyc/cases/:id/claim',
      change({ make: makeCaseBesideAHeldOne, act: ({ call }, { id }) => call('POST', `/api/kyc/cases/${id}/claim`) }),
    ],
    [
      'the claim of the next case',
      'POST /api/kyc/cases/claim-next',
      change({
        make: makeCaseBesideAHeldOne,
        act: ({ call }, { id }) => call('POST', '/api/kyc/cases/claim-next', { after: String(Number(id) - 1) }),
      }),
    ],
    [
      'the release of a case',
      'POST /api/kyc/cases/:id/release',
      change({
        make: async () => {
          await server.sql('DELETE FROM kyc_claims')
          const made = await makeCase()
          await claimFor(made.id)
          return made
        },
        act: ({ call }, { id }) => call('POST', `/api/kyc/cases/${id}/release`),
      }),
    ],
    ...(['paid', 'cancelled'] as const).map((status): NamedChange => [
      `an order that becomes ${status}`,
      'PATCH /api/orders/:id/status',
      change({
        make: makeWaitingOrder,
        act: ({ call }, { id }) => call('PATCH', `/api/orders/${id}/status`, { status, notes: 'As agreed' }),
        statusAgain: 409,
      }),
    ]),
    [
      'a payment by hand that is undone',
      'PATCH /api/orders/:id/status',
      change({
        make: fixtures.makeOrderPaidByHand,
        act: ({ call }, { id }) =>
          call('PATCH', `/api/orders/${id}/status`, { status: 'waiting_payment', notes: 'Wrong order' }),
        statusAgain: 409,
      }),
    ],
    [
      'the expiry of due orders',
      'the clock',
      change({
        make: async () => {
          const { id } = await makeMember(server)
          const expiresAt = new Date(Date.now() - 1000).toISOString()
          return [await makeOrder(server, id, { expiresAt }), await makeOrder(server, id, { expiresAt })]
        },
        act: ({ services }) => runJob(services, 'expire-orders').then(() => ({ statusCode: 200, body: '' }), broken),
      }),
    ],
    [
      'a new token',
      'POST /api/tokens/:kind',
      change({
        make: async () => newAddress(),
        act: ({ call }, contractAddress) =>
          call('POST', '/api/tokens/earning', { projectName: 'Solar Park', tokenSymbol: 'sun', contractAddress }),
        statusAgain: 409,
      }),
    ],
    [
      'the switch of a token',
      'PATCH /api/tokens/:kind/:id',
      change({
        make: () => makeToken(true),
        act: ({ call }, id) => call('PATCH', `/api/tokens/earning/${id}`, { isActive: false }),
      }),
    ],
    [
      'sending a message again',
      'POST /api/messages/resend',
      change({
        make: () =>
          rowId(`WITH event AS (
                   INSERT INTO platform_events (type, entity_type, entity_id, version, payload)
                   VALUES ('member.banned', 'member', gen_random_uuid()::text, 1, '{}') RETURNING *
                 )
                 INSERT INTO messages (channel, direction, endpoint_id, event_row, type, entity_type, entity_id, state, tries)
                 SELECT 'platform', 'out', 1, id, type, entity_type, entity_id, 'delivered', 1 FROM event
                 RETURNING id::text`),
        act: ({ call }, id) => call('POST', '/api/messages/resend', { ids: [id] }),
      }),
    ],
    [
      'a new endpoint',
      'POST /api/endpoints',
      change({
        make: () => makeEndpoint(),
        act: ({ call }) => call('POST', '/api/endpoints', { name: 'Payments', url: 'https://platform.example/events' }),
        statusAgain: 409,
      }),
    ],
    [
      'the switch of an endpoint',
      'PATCH /api/endpoints/:id',
      change({
        make: () => makeEndpoint(),
        act: ({ call }, id) => call('PATCH', `/api/endpoints/${id}`, { isOn: false }),
      }),
    ],
    [
      'a new secret of an endpoint',
      'POST /api/endpoints/:id/secret',
      change({
        make: () => makeEndpoint(),
        act: ({ call }, id) => call('POST', `/api/endpoints/${id}/secret`),
        statusAgain: 409,
      }),
    ],
    [
      'the end of an old secret',
      'DELETE /api/endpoints/:id/old-secret',
      change({
        make: () => makeEndpoint({ previousSecret: 'whsec_old' }),
        act: ({ call }, id) => call('DELETE', `/api/endpoints/${id}/old-secret`),
        statusAgain: 409,
      }),
    ],
    [
      'an endpoint that takes events again',
      'POST /api/endpoints/:id/resume',
      change({
        make: () => makeEndpoint({ isPaused: true }),
        act: ({ call }, id) => call('POST', `/api/endpoints/${id}/resume`),
        statusAgain: 409,
      }),
    ],
    [
      'a test of an endpoint',
      'POST /api/endpoints/:id/test',
      change({ make: () => makeEndpoint(), act: ({ call }, id) => call('POST', `/api/endpoints/${id}/test`) }),
    ],
    [
      'the deletion of an endpoint',
      'DELETE /api/endpoints/:id',
      change({
        make: () => makeEndpoint(),
        act: ({ call }, id) => call('DELETE', `/api/endpoints/${id}`),
        statusAgain: 404,
      }),
    ],
    ...createBankChanges({ crashAtEachStatement, cookie, ...fixtures }),
    ...createFactorChanges(server, { crashAtEachStatement, ...fixtures }),
    ...createTreasuryChanges({ crashAtEachStatement, ...fixtures }),
    ...createApprovalChanges(server, { crashAtEachStatement, ...fixtures }),
    ...createOperatorChanges(server, { crashAtEachStatement, ...fixtures }),
    ...createAccountChanges(server, { crashAtEachStatement, ...fixtures }),
    ...createErasureChanges(server, { crashAtEachStatement, ...fixtures }),
    ...createSecurityChanges(server, { crashAtEachStatement, ...fixtures }),
    ...createCaseChanges(server, { crashAtEachStatement, ...fixtures }),
    ...createNoteChanges(server, { crashAtEachStatement, ...fixtures }),
    ...createBulkChanges(server, { crashAtEachStatement, ...fixtures }),
    ...createViewChanges({ crashAtEachStatement, ...fixtures }),
    ...createOidcChanges(server, oidc, { crashAtEachStatement, ...fixtures }),
    [
      'a token to view a document',
      'POST /api/documents/token',
      change({
        make: async () => makeDocument(server, (await makeMember(server)).id, { bytes: null }),
        act: ({ call }, { memberId: userId, key: documentPath }) =>
          call('POST', '/api/documents/token', { userId, documentPath }),
      }),
    ],
    ...createSignInChanges(server, { crashAtEachStatement, ...fixtures }),
  ]
}
