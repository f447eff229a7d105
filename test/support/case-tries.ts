/**
 * A statement that writes down tries of a member's first case: `$1` the member's id, `$2` whether they succeeded, `$3` how
 * many, `$4` how long ago, `$5` why they failed. The case is made where it is not there yet.
 */
export const insertTriesSql = `
  WITH sent AS (
    INSERT INTO messages (channel, direction, type, entity_type, entity_id, attempt_number, state)
    VALUES ('kyc', 'out', 'kyc.submitted', 'member', $1::text, 1, CASE WHEN $2 THEN 'delivered' ELSE 'failed' END)
    ON CONFLICT (entity_id, attempt_number) WHERE channel = 'kyc' AND direction = 'out' DO UPDATE SET state = excluded.state
    RETURNING id
  )
  INSERT INTO message_attempts (message_id, channel, try_number, success, error_message, http_status, latency_ms,
    response_excerpt, created_at)
  SELECT id, 'kyc', n, $2::boolean, CASE WHEN NOT $2 THEN $5::text END, CASE WHEN $2 THEN 202 END, 10004,
    CASE WHEN $2 THEN '{"status":"accepted"}' END, now() - $4::interval
  FROM sent, generate_series(1, $3::int) n`

/** What `insertTries` wants for one try that failed. */
export const buildFailedTry = (memberId: string, error = 'HTTP 500') => [memberId, false, 1, '0 seconds', error]
