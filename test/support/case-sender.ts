import { beforeEach } from 'vitest'
import type { WebhookLog } from '#contract/schemas/kyc-webhooks.ts'
import { makeAttempt, makeMember } from './make.ts'
import { startProviderConsole } from './provider-console.ts'

/** A console that sends cases to a fake provider, which accepts them by default. */
export async function startCaseSender() {
  const { provider, server } = await startProviderConsole()
  const ada = server.as('ada')
  const submit = (userId?: unknown) => ada('POST', '/api/kyc/submit-for-verification', { userId })
  const retry = (userId?: unknown) => ada('POST', '/api/kyc/webhook-retry', { userId })
  const member = async (id: string) => (await server.sql('SELECT * FROM members WHERE id = $1', [id]))[0]!
  const readMessage = async (id: string) =>
    (
      await server.sql(`SELECT * FROM messages WHERE channel = 'kyc' AND direction = 'out' AND entity_id = $1`, [id])
    )[0]!
  const readLogs = async (id: string) =>
    (await ada('GET', `/api/kyc/webhook-logs?userId=${id}`)).json<{ logs: WebhookLog[]; total: number }>()
  const audits = (id: string) =>
    server.sql(
      `SELECT action, actor_name, audit_details(id, details) AS details FROM audit_log WHERE target_id = $1 AND target_type = 'user' ORDER BY id`,
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

  beforeEach(() => {
    provider.answer = provider.accept
    provider.calls.length = 0
  })

  return { provider, server, ada, submit, retry, member, readMessage, readLogs, audits, makeSubmitted }
}
