import { readConfig } from '#server/core/config.ts'
import { signMessage } from '#server/core/message-mac.ts'
import { auditKey } from './console-process.ts'

/** The MAC of a member's first case, as the console writes it. */
export const signCase = (memberId: string): string =>
  signMessage(
    { config: readConfig({ AUDIT_KEY: auditKey }) },
    {
      channel: 'kyc',
      endpointId: null,
      messageId: '',
      type: 'kyc.submitted',
      entityType: 'member',
      entityId: memberId,
      attemptNumber: 1,
      sequence: null,
      version: null,
      payload: null,
      createdAt: null,
    },
  )

/**
 * SQL that inserts tries of a member's first case, and the case where it is missing: `$1` member id, `$2` success, `$3`
 * count, `$4` age, `$5` error, `$6` MAC.
 */
export const insertTriesSql = `
  WITH sent AS (
    INSERT INTO messages (channel, direction, type, entity_type, entity_id, attempt_number, state, mac)
    VALUES ('kyc', 'out', 'kyc.submitted', 'member', $1::text, 1, CASE WHEN $2 THEN 'delivered' ELSE 'failed' END, $6)
    ON CONFLICT (entity_id, attempt_number) WHERE channel = 'kyc' AND direction = 'out' DO UPDATE SET state = excluded.state
    RETURNING id
  )
  INSERT INTO message_attempts (message_id, channel, try_number, success, error_message, http_status, latency_ms,
    response_excerpt, created_at)
  SELECT id, 'kyc', n, $2::boolean, CASE WHEN NOT $2 THEN $5::text END, CASE WHEN $2 THEN 202 END, 10004,
    CASE WHEN $2 THEN '{"status":"accepted"}' END, now() - $4::interval
  FROM sent, generate_series(1, $3::int) n`

/** The parameters of `insertTriesSql` for one failed try. */
export const buildFailedTry = (memberId: string, error = 'HTTP 500') => [
  memberId,
  false,
  1,
  '0 seconds',
  error,
  signCase(memberId),
]
