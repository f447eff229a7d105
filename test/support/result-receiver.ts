import type { KycResult } from '#contract/schemas/platform-api.ts'
import { buildSecret, signResult } from './sign-result.ts'
import { makeAttempt, makeMember } from './make.ts'
import { startServer } from './server.ts'

/** The console takes either; the first signs what is not said otherwise. */
export const [secret, nextSecret] = [buildSecret(7), buildSecret(8)]
export const url = '/api/platform/v1/kyc-results'

type ResultOptions = Parameters<typeof signResult>[2] & { by?: string; headers?: Record<string, string> }

/** A console that receives a KYC provider's results, with members whose cases wait, and readers of what it stored. */
export async function startResultReceiver() {
  const server = await startServer({ KYC_WEBHOOK_SECRET: `${secret},${nextSecret}` })
  const ada = server.as('ada')
  const nobody = server.as(null)

  const signed = (message: unknown, { by = secret, ...given }: ResultOptions = {}) => signResult(by, message, given)
  const send = (message: unknown, given: ResultOptions = {}) => {
    const { body, headers } = signed(message, given)
    return nobody('POST', url, body, { ...headers, ...given.headers })
  }

  const makeSubmitted = async (kycStatus: 'submitted' | 'under_review' = 'submitted') => {
    const { id } = await makeMember(server, { kycStatus, kycSubmissionCount: 1, legalFirstName: 'Zélia' })
    await makeAttempt(server, id)
    return id
  }
  const result = (userId: string, more: Partial<KycResult> = {}): KycResult => ({
    caseId: `case-${userId}-1`,
    userId,
    attemptNumber: 1,
    result: 'approved',
    autoProcessed: true,
    ...more,
  })
  const one = async (text: string, values: unknown[]) => (await server.sql(text, values))[0]!
  const member = (id: string) => one('SELECT * FROM members WHERE id = $1', [id])
  const verification = (id: string, attempt = 1) =>
    one('SELECT * FROM kyc_verifications WHERE member_id = $1 AND attempt_number = $2', [id, attempt])
  const submission = (id: string) =>
    one('SELECT * FROM kyc_submissions WHERE member_id = $1 AND attempt_number = 1', [id])
  const receipts = (id: string) =>
    server.sql(
      `SELECT state, signature, http_status, note, case_id, attempt_number, body_excerpt FROM messages
       WHERE direction = 'in' AND entity_id = $1 ORDER BY id`,
      [id],
    )
  const trail = async (id: string) => ({
    audit: await server.sql('SELECT action, actor_kind, actor_name FROM audit_log WHERE target_id = $1', [id]),
    events: (await server.sql(`SELECT type FROM messages WHERE channel = 'platform' AND entity_id = $1`, [id])).map(
      ({ type }) => type,
    ),
  })

  return { server, ada, nobody, signed, send, makeSubmitted, result, member, verification, submission, receipts, trail }
}
