import type { LightMyRequestResponse } from 'fastify'
import { paymentDetails } from './payment-details.ts'
import { platformKey, type TestServer } from './server.ts'

export const platformBase = '/api/platform/v1'

/** Calls as the platform makes them: a path below the API's own, a body in JSON. */
export function createPlatformCaller(server: TestServer, key = platformKey) {
  return async (method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.app.inject({
      method,
      url: platformBase + path,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
}

export const buildOrderBody = (memberId: string, more: object = {}) => ({
  memberId,
  projectId: 'p-1',
  projectName: 'Solar Park',
  investmentAmount: '1500.00',
  currency: 'EUR',
  expiresAt: '2099-01-05T09:00:00.000Z',
  ...paymentDetails,
  ...more,
})

/** The audit rows of answered calls, oldest first. Those of refused calls and of reads are written after the answer. */
export const listCallRecords = (server: TestServer, ...replies: Pick<LightMyRequestResponse, 'headers'>[]) =>
  server.sql<{ actor_name: string; target_type: string | null; target_id: string | null; details: object }>(
    `SELECT actor_name, target_type, target_id, details FROM audit_log
     WHERE action = 'platform_call' AND request_id = ANY($1) ORDER BY id`,
    [replies.map(({ headers }) => headers['x-request-id'])],
  )

const tables = [
  'members',
  'wallets',
  'orders',
  'tokens',
  'platform_transactions',
  'fractions',
  'documents',
  'kyc_step2',
  'kyc_step3',
  'kyc_step4',
  'kyc_submissions',
  'kyc_verifications',
  'messages',
  'idempotent_calls',
]

/** Every row that a call could have changed, except its own audit row. */
export async function readAllTables(server: TestServer): Promise<Record<string, unknown>> {
  const kept: Record<string, unknown> = {}
  for (const table of tables) kept[table] = await server.sql(`SELECT * FROM ${table} AS t ORDER BY t::text`)
  kept.audits = await server.sql(`SELECT * FROM audit_log WHERE action <> 'platform_call' ORDER BY id`)
  return kept
}
