import { afterAll, beforeEach } from 'vitest'
import type { WebhookLog } from '#contract/schemas/kyc-webhooks.ts'
import { startFakeProvider } from './fakes/kyc-provider.ts'
import { makeAttempt, makeMember } from './make.ts'
import { startServer } from './server.ts'

/** A console that sends cases to a fake provider, which accepts them by default. */
export async function startCaseSender() {
  const provider = await startFakeProvider()
  const server = await startServer({
    KYC_WEBHOOK_URL: provider.url,
    KYC_WEBHOOK_SECRET: provider.secret,
    WEBHOOK_ALLOW_PRIVATE: 'on',
  })
  const ada = server.as('ada')
  const submit = (userId?: unknown) => ada('POST', '/api/kyc/submit-for-verification', { userId })
  const retry = (userId?: unknown) => ada('POST', '/api/kyc/webhook-retry', { userId })
  const member = async (id: string) => (await server.sql('SELECT * FROM members WHERE id = $1', [id]))[0]!
  const delivery = async (id: string) =>
    (
      await server.sql(`SELECT * FROM messages WHERE channel = 'kyc' AND direction = 'out' AND entity_id = $1`, [id])
    )[0]!
  const readLogs = async (id: string) =>
    (await ada('GET', `/api/kyc/webhook-logs?userId=${id}`)).json<{ logs: WebhookLog[]; total: number }>()
  const audits = (id: string) =>
    server.sql(
      `SELECT action, actor_name, details FROM audit_log WHERE target_id = $1 AND target_type = 'user' ORDER BY id`,
      [id],
    )

  async function makeSubmitted(given: { attempt?: number; at?: string } = {}) {
    const made = await makeMember(server, {
      legalFirstName: 'Ana',
      legalLastName: 'Lima',
      legalPhone: '+351 912 345 678',
      kycStatus: 'submitted',
      kycSubmissionCount: 1,
    })
    await makeAttempt(server, made.id, given)
    return made
  }

  afterAll(() => provider.close())
  beforeEach(() => {
    provider.answer = provider.accept
    provider.calls.length = 0
  })

  return { provider, server, ada, submit, retry, member, delivery, readLogs, audits, makeSubmitted }
}
