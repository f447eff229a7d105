import type { Database } from '#server/db/client.ts'
import { foldCounts } from '#server/jobs/fold-counts.ts'

const firstNames =
  'Ana José Łukasz Maria Ivan Chen Fatima Noah Olga Søren Zoë Ahmed Ingrid Pedro Yuki Amara Jean Li Sofia Tom Иван Мария 小明 Björn Chloé Ravi Elif Kofi Nuno Uma'
const lastNames =
  'García Silva Kowalski Smith Müller Петров Johnson Nguyen Okafor Rossi Şahin Jensen Dubois Novák Tanaka Costa Brown Ferreira Andersson Wang Murphy Popescu Horvat Santos Weber Bianchi Lund Moreau Diaz Yılmaz'
const mailHosts = 'gmail.com outlook.com example.com example.org mail.example.net'

// Plausible shares in per cent, and registrations that grow over three years. Everything derives from the member's number, so
// each run measures the same data.
const seedMembers = `
  INSERT INTO members (id, email, legal_first_name, legal_last_name, legal_phone, membership_id, kyc_status,
    kyc_current_step, kyc_document_type, kyc_submission_count, kyc_submitted_at, kyc_rejection_reason, kyc_decided_by,
    kyc_decided_at, banned, banned_reason, banned_by, banned_at, ban_changed_by, ban_changed_at, created_at)
  SELECT 'm-' || n, fold_text(first) || '.' || n || '@' || hosts[1 + r1 % array_length(hosts, 1)], first, last,
    '+351 9' || lpad((n % 100000000)::text, 8, '0'),
    CASE WHEN status = 'approved' THEN 'MB-' || lpad(n::text, 8, '0') END, status,
    CASE WHEN status IS NULL THEN 1 + r2 % 3 WHEN status = 'pending' THEN 1 ELSE 4 END,
    CASE WHEN status IS NOT NULL THEN 'passport' END, CASE WHEN status IS NULL THEN 0 ELSE 1 END,
    CASE WHEN status IS NOT NULL THEN created + interval '2 days' END,
    CASE WHEN status = 'rejected' THEN 'Blurred photo' END,
    CASE WHEN status IN ('approved', 'rejected') THEN 'admin' END,
    CASE WHEN status IN ('approved', 'rejected') THEN created + interval '3 days' END,
    is_banned, CASE WHEN is_banned THEN 'Chargeback' END, CASE WHEN is_banned THEN 'admin' END,
    CASE WHEN is_banned THEN now() END, CASE WHEN is_banned THEN 'admin' END, CASE WHEN is_banned THEN now() END, created
  FROM (
    SELECT n, r1, r2, hosts, r3 % 100 < 2 AS is_banned,
      firsts[1 + r2 % array_length(firsts, 1)] AS first, lasts[1 + r3 / 128 % array_length(lasts, 1)] AS last,
      now() - interval '1095 days' * (1 - sqrt(n::float8 / $1)) AS created,
      CASE WHEN r1 / 128 % 100 < 47 THEN 'approved' WHEN r1 / 128 % 100 < 52 THEN 'rejected'
        WHEN r1 / 128 % 100 < 57 THEN 'under_review' WHEN r1 / 128 % 100 < 60 THEN 'submitted'
        WHEN r1 / 128 % 100 < 70 THEN 'pending' END AS status
    FROM (
      SELECT n, abs(hashint8(n)) AS r1, abs(hashint8(n + 7000000000)) AS r2, abs(hashint8(n + 90000000000)) AS r3
      FROM generate_series(1::bigint, $1::bigint) n
    ) numbers, (
      SELECT string_to_array($2, ' ') AS firsts, string_to_array($3, ' ') AS lasts, string_to_array($4, ' ') AS hosts
    ) words
  ) made ORDER BY n`

/** Fills an empty, migrated database with `count` members, folds their counts and analyses the tables. */
export async function seed(database: Database, count: number): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await client.query(seedMembers, [count, firstNames, lastNames, mailHosts])
    await foldCounts({ database })
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
    await client.query('RESET statement_timeout')
  } finally {
    client.release()
  }
}
