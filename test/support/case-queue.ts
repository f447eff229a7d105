import { beforeEach } from 'vitest'
import { inTransaction } from '#server/core/context.ts'
import { kycCases, queueCase } from '#server/features/messages/service.ts'
import { holdTimers } from './held-timers.ts'
import { sendMessages } from './jobs.ts'
import { makeAttempt, makeMember } from './make.ts'
import { startProviderConsole } from './provider-console.ts'

export const neverStop = new AbortController().signal
export const sendCases = sendMessages(kycCases)

/** A console whose queue sends cases to a fake provider. Each test begins without messages. */
export async function startCaseQueue() {
  const { provider, server } = await startProviderConsole()
  const { services } = server
  const timeLimits = holdTimers(10_000)
  const ada = server.as('ada')
  await ada('GET', '/api/auth/user')

  const queueAgain = (memberId: string) =>
    inTransaction(server.system, (tx) => queueCase(tx, server.system, memberId, 1))
  async function makeQueued() {
    const made = await makeMember(server, { kycStatus: 'submitted', kycSubmissionCount: 1 })
    await makeAttempt(server, made.id)
    await queueAgain(made.id)
    return made
  }
  const runJob = () => sendCases(services, neverStop)
  const readMessage = async (id: string) =>
    (
      await server.sql(`SELECT * FROM messages WHERE channel = 'kyc' AND direction = 'out' AND entity_id = $1`, [id])
    )[0]!
  const logs = (id: string) =>
    server.sql(
      `SELECT a.try_number, a.success, a.error_message, a.started_by FROM message_attempts a
       JOIN messages m ON m.id = a.message_id WHERE m.entity_id = $1 ORDER BY a.id`,
      [id],
    )
  const makeDue = (id: string) =>
    server.sql(
      `UPDATE messages SET next_try_at = now() - interval '1 second' WHERE entity_id = $1 AND state = 'waiting'`,
      [id],
    )
  const fail = () => (provider.answer = (response) => void response.writeHead(500).end())

  beforeEach(async () => {
    await server.sql('DELETE FROM messages')
    provider.answer = provider.accept
    provider.calls.length = 0
  })

  return {
    timeLimits,
    provider,
    server,
    services,
    ada,
    makeQueued,
    queueAgain,
    runJob,
    readMessage,
    logs,
    makeDue,
    fail,
  }
}
