import { expect, test } from 'vitest'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { makeWebhookAttempts } from './webhooks.ts'

const server = await startServer()
const now = Date.now()

test('demo attempts mostly succeed, and two cases failed for good within a day (product 13.4)', async () => {
  for (let n = 0; n < 120; n++) {
    const member = await makeMember(server, { kycStatus: 'under_review' })
    await makeAttempt(server, member.id, { at: new Date(now - (n + 2) * 5 * 3_600_000).toISOString() })
  }
  await makeWebhookAttempts(server.system, new Date(now).toISOString())
  await makeWebhookAttempts(server.system, new Date(now).toISOString())
  const ada = server.as('ada')
  const stats = (await ada('GET', '/api/kyc/webhook-stats')).json()
  expect(stats).toMatchObject({ totalAttempts: 102, failedAttempts: 14, successRate: 86.3 })
  const { logs, total } = (await ada('GET', '/api/kyc/webhook-logs?unreached=24h')).json()
  expect(total).toBe(2)
  for (const log of logs) expect(log).toMatchObject({ tryNumber: 6, success: false, canRetry: true, nextTryAt: null })
  expect(
    await server.sql(
      `SELECT state, count(*)::int AS n FROM messages WHERE channel = 'kyc' AND direction = 'out' GROUP BY 1 ORDER BY 1`,
    ),
  ).toEqual([
    { state: 'delivered', n: 88 },
    { state: 'failed', n: 2 },
  ])
  expect(await server.sql('SELECT 1 FROM message_attempts WHERE created_at > $1', [new Date(now)])).toEqual([])
  expect(await server.sql(`SELECT 1 FROM members WHERE kyc_status <> 'under_review' OR version > 1`)).toEqual([])
})
