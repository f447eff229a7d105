import { makeAttempt, makeMember } from './make.ts'
import type { TestServer } from './server.ts'

/** An instant of the one hour in which these messages stand. */
export const atMinute = (minute: number) => new Date(Date.UTC(2026, 4, 1, 9, minute)).toISOString()

interface Row {
  id: string
}
interface EventOptions {
  entity?: [type: string, id: string]
  state?: string
  minute?: number
  tries?: number
  lease?: string
}

/** Messages straight into the tables, out and in, and the log emptied of them. */
export function createMessageTables(server: TestServer) {
  const sql: typeof server.sql = (...given) => server.sql(...given)
  /** An event for the platform; answers its id. */
  async function event({
    entity = ['member', 'm-1'],
    state = 'waiting',
    minute = 0,
    tries = 0,
    lease,
  }: EventOptions = {}) {
    const [row] = await sql<Row>(
      `WITH event AS (
         INSERT INTO platform_events (type, entity_type, entity_id, version, payload, created_at)
         VALUES ('member.banned', $1::text, $2::text, 1, '{"memberId": "m-1", "reason": "Fraud"}', $5) RETURNING *
       )
       INSERT INTO messages (channel, direction, endpoint_id, event_row, message_id, type, entity_type, entity_id,
         ordering_key, state, tries, created_at, next_try_at, lease_until, delivered_at)
       SELECT 'platform', 'out', 1, id, event_id, type, entity_type, entity_id, '1/' || entity_type || '/' || entity_id,
         $3, $4, created_at, created_at, now() + $6::interval, CASE $3 WHEN 'delivered' THEN created_at END
       FROM event RETURNING id::text`,
      [...entity, state, tries, atMinute(minute), lease ?? null],
    )
    return row!.id
  }
  /** A try to deliver an event. */
  async function attempt(
    messageId: string,
    given: { number: number; status?: number; error?: string; minute?: number },
  ) {
    const { number, status = null, error = null, minute = 0 } = given
    await sql(
      `INSERT INTO message_attempts (message_id, channel, try_number, success, error_message, http_status, latency_ms,
         response_excerpt, created_at)
       VALUES ($1, 'platform', $2, $4::text IS NULL, $4, $3, 12, 'ok', $5)`,
      [messageId, number, status, error, atMinute(minute)],
    )
  }
  /** A case for the provider; answers its id. */
  async function sentCase(
    memberId: string,
    given: { state?: string; minute?: number; tries?: number; lease?: string } = {},
  ) {
    const { state = 'delivered', minute = 0, tries = 1, lease = null } = given
    const [row] = await sql<Row>(
      `INSERT INTO messages (channel, direction, type, entity_type, entity_id, attempt_number, state, tries, retries,
         created_at, lease_until)
       VALUES ('kyc', 'out', 'kyc.submitted', 'member', $1, 1, $2, $3, 2, $4, now() + $5::interval) RETURNING id::text`,
      [memberId, state, tries, atMinute(minute), lease],
    )
    return row!.id
  }
  /** A result of the provider; answers its id. */
  async function received(
    given: { memberId?: string; state?: string; signature?: string; minute?: number; id?: string } = {},
  ) {
    const { memberId = 'm-1', state = 'applied', signature = 'valid', minute = 0, id = 'msg-1' } = given
    const [row] = await sql<Row>(
      `INSERT INTO messages (channel, direction, source, message_id, signature, type, entity_type, entity_id,
         attempt_number, state, note, http_status, latency_ms, body_excerpt, created_at)
       VALUES ('kyc', 'in', 'standard', $1, $2, 'kyc.result', 'member', $3, 1, $4, 'The member was approved', 200, 3,
         '{"result":"approved"}', $5)
       RETURNING id::text`,
      [id, signature, memberId, state, atMinute(minute)],
    )
    return row!.id
  }
  /** A member whose first attempt waits for a decision. */
  async function submitted() {
    const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima', kycStatus: 'submitted' })
    await makeAttempt(server, member.id)
    return member
  }
  async function clear() {
    await sql('DELETE FROM messages')
    await sql('DELETE FROM platform_events')
  }
  return { event, attempt, sentCase, received, submitted, clear }
}
