import { checkStatements } from '#server/features/bank/statements/attention.ts'
import type pg from 'pg'
import type { Database } from '#server/db/client.ts'
import { foldCounts } from '#server/jobs/fold-counts.ts'

/** The number of rows for each list, besides the members of `seed`. */
export interface ListSizes {
  members: number
  orders: number
  chainTransactions: number
  platformTransactions: number
  auditRows: number
  bankLines: number
}

/** Lines of a statement: a day of a busy account. */
const linesOfStatement = 100

// Everything derives from the row's number, spread over three years with more of it lately, so each run measures the same.
const instant = (most: string) => `now() - interval '1095 days' * (1 - sqrt(n::float8 / ${most}))`
const word = (salt: number) => `abs(hashint8(n + ${salt}000000000))`

const orders = `
  INSERT INTO orders (order_number, member_id, project_id, project_name, investment_amount, currency, status, bank_name,
    account_holder, account_number, iban, swift, payment_instructions, expires_at, created_at, status_changed_by,
    status_changed_at, paid_at)
  SELECT 'ORD-' || lpad(n::text, 8, '0'), 'm-' || 1 + ${word(1)} % $2::bigint, 'prj-' || ${word(2)} % 40,
    (ARRAY['Solar Park','Harbour Lofts','Olive Estates','Baltic Wind','Tidal Power'])[1 + ${word(3)} % 5],
    round((10000 + ${word(4)} % 90000000) / 100.0, 2), (ARRAY['EUR','USD','GBP'])[1 + ${word(5)} % 3], status, 'Meridian Bank',
    'Solar Park Ltd', '0012345', 'XX00 0000 0012 345', 'MERIXX00', 'Give the order number as the reference.',
    CASE WHEN status = 'waiting_payment' THEN now() + interval '1 hour' * (1 + ${word(6)} % 500) ELSE made + interval '3 days' END,
    made, CASE WHEN status <> 'waiting_payment' THEN 'admin' END, CASE WHEN status <> 'waiting_payment' THEN made END,
    CASE WHEN status IN ('paid', 'completed') THEN made END
  FROM (SELECT n, ${instant('$1')} AS made,
    (ARRAY['waiting_payment','paid','completed','completed','completed','completed','expired','cancelled'])[1 + ${word(7)} % 8] AS status
    FROM generate_series(1::bigint, $1::bigint) n) numbers ORDER BY n`

const wallets = `
  INSERT INTO wallets (member_id, address, created_at)
  SELECT 'm-' || n, '0x' || md5(n::text) || lpad(to_hex(n), 8, '0'), now() - interval '30 days'
  FROM generate_series(1::bigint, $1::bigint) n`

const tokens = `
  INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol)
  SELECT 'earning', 'logo', 'Solar Park ' || n, '0x' || repeat(to_hex(n), 40), 'T' || n FROM generate_series(0, 11) n`

const chainTransactions = `
  INSERT INTO chain_transactions (transaction_hash, log_index, wallet_address, transaction_type, token_address,
    token_symbol, project_name, amount, status, is_imported, created_at)
  SELECT '0x' || md5(n::text) || md5((n + 1)::text), 0, '0x' || md5(who::text) || lpad(to_hex(who), 8, '0'),
    (ARRAY['deposit','withdrawal','other'])[1 + ${word(8)} % 3], '0x' || repeat(to_hex(${word(9)} % 12), 40),
    'T' || ${word(9)} % 12, 'Solar Park', round((${word(10)} % 100000000) / 1000.0, 3),
    (ARRAY['completed','completed','completed','completed','completed','completed','completed','completed','pending','failed'])[1 + ${word(11)} % 10],
    true, ${instant('$1')}
  FROM (SELECT n, 1 + ${word(12)} % $2::bigint AS who FROM generate_series(1::bigint, $1::bigint) n) numbers ORDER BY n`

const platformTransactions = `
  INSERT INTO platform_transactions (id, member_id, type, amount, status, created_at)
  SELECT 't-' || n, 'm-' || 1 + ${word(17)} % $2::bigint, (ARRAY['deposit','deposit','withdrawal','other'])[1 + ${word(18)} % 4],
    round((${word(19)} % 100000000) / 100.0, 2),
    (ARRAY['completed','completed','completed','completed','completed','completed','completed','completed','pending','failed'])[1 + ${word(20)} % 10],
    ${instant('$1')}
  FROM generate_series(1::bigint, $1::bigint) n`

const auditRows = `
  INSERT INTO audit_log (created_at, actor_kind, actor_name, action, target_type, target_id, details, ip_address)
  SELECT ${instant('$1')}, 'admin', 'admin', (ARRAY['login','ban_user','approve_kyc','create_token','set_order_status',
    'approve_kyc','approve_kyc','view_document'])[1 + ${word(13)} % 8], 'user', 'm-' || 1 + ${word(14)} % $2::bigint,
    '{"before": {"kycStatus": "under_review"}, "after": {"kycStatus": "approved"}}', '127.0.0.1'
  FROM generate_series(1::bigint, $1::bigint) n`

/** The member `m-88` has 10,000 entries of activity beside those of the other rows. */
const busyMember = [
  `INSERT INTO platform_transactions (id, member_id, type, amount, status, created_at)
   SELECT 'busy-' || n, 'm-88', 'deposit', n, 'completed', ${instant('$1')} FROM generate_series(1::bigint, $1::bigint) n`,
  `INSERT INTO audit_log (created_at, actor_kind, actor_name, action, target_type, target_id, details, ip_address)
   SELECT ${instant('$1')}, 'admin', 'admin', (ARRAY['ban_user', 'unban_user', 'view_document'])[1 + n % 3], 'user', 'm-88', '{}',
     '127.0.0.1' FROM generate_series(1::bigint, $1::bigint) n`,
  `INSERT INTO messages (channel, direction, source, message_id, type, entity_type, entity_id, state, signature, created_at)
   SELECT 'kyc', 'in', 'sumsub', 'busy-' || n, 'kyc.result', 'member', 'm-88', 'recorded', 'valid', ${instant('$1')}
   FROM generate_series(1::bigint, $1::bigint) n`,
  `INSERT INTO orders (order_number, member_id, project_id, project_name, investment_amount, currency, status, bank_name,
     account_holder, account_number, iban, swift, payment_instructions, expires_at, created_at)
   SELECT 'BUSY-' || n, 'm-88', 'prj-1', 'Solar Park', n, 'EUR', 'waiting_payment', '', '', '', '', '', '', now() + interval '9 days',
     ${instant('$1')} FROM generate_series(1::bigint, $1::bigint) n`,
]

const securityEvents = `
  INSERT INTO security_events (created_at, severity, event_type, description, ip_address, resolved_at, resolved_by)
  SELECT ${instant('$1')}, (ARRAY['critical','high','medium','low'])[1 + ${word(15)} % 4], 'sign_in_failed', 'Failed sign-in',
    '203.0.113.7', CASE WHEN n % 10 > 0 THEN now() END, CASE WHEN n % 10 > 0 THEN 'admin' END
  FROM generate_series(1::bigint, $1::bigint) n`

const webhookLogs = `
  WITH cases AS (
    INSERT INTO messages (channel, direction, type, entity_type, entity_id, attempt_number, state, created_at)
    SELECT 'kyc', 'out', 'kyc.submitted', 'member', 'm-' || n, 1, 'delivered', ${instant('$2')}
    FROM generate_series(1::bigint, $2::bigint) n ORDER BY n RETURNING id
  ), first_case AS (SELECT min(id) AS id FROM cases)
  INSERT INTO message_attempts (message_id, channel, try_number, success, error_message, http_status, latency_ms, created_at)
  SELECT first_case.id + ${word(16)} % $2::bigint, 'kyc', 1, n % 10 > 0, CASE WHEN n % 10 = 0 THEN 'HTTP 500' END,
    CASE WHEN n % 10 = 0 THEN 500 ELSE 202 END, 80, ${instant('$1')}
  FROM first_case, generate_series(1::bigint, $1::bigint) n`

const bankAccounts = `
  INSERT INTO bank_accounts (name, account, account_key, currency)
  SELECT 'Account ' || n, '00' || n, '00' || n, (ARRAY['EUR','USD','GBP'])[1 + n % 3] FROM generate_series(0, 5) n`

const bankImports = `
  INSERT INTO bank_imports (sha256, file_name, format, size, lines_new, lines_known, unreadable_count, warnings, unreadable, imported_by)
  SELECT encode(sha256(n::text::bytea), 'hex'), 'statement-' || n || '.xml', 'camt', 40000, ${linesOfStatement}, 0, 0, '{}', '{}', 'admin'
  FROM generate_series(1::bigint, $1::bigint) n`

/** Each begins with the balance with which the account's last one ended, 60 days before. */
const bankStatements = `
  INSERT INTO bank_statements (import_id, account_id, kind, number, opening, opening_on, credits, debits, closing, closing_on, lines_new)
  SELECT n, 1 + n % 6, 'camt.053', 1 + (n / 6) % 250, n * 1000, made::date, 6000, 0, (n + 6) * 1000, made::date, ${linesOfStatement}
  FROM (SELECT n, ${instant('$1')} AS made FROM generate_series(1::bigint, $1::bigint) n) numbers ORDER BY n`

/** One in fifty is work, the others are settled; the allocations follow. */
const bankLines = `
  INSERT INTO bank_lines (account_id, statement_id, key, occurrence, place, position, booked_on, value_on, direction, amount, currency,
    is_reversal, booking, payer_name, payer_account, bank_reference, structured, remittance, info, details, allocated)
  SELECT 1 + (n / ${linesOfStatement}) % 6, 1 + (n - 1) / ${linesOfStatement}, md5(n::text), 1, 'line ' || n % 5000,
    1 + n % ${linesOfStatement}, made::date, made::date, CASE WHEN n % 10 = 0 THEN 'debit' ELSE 'credit' END, amount,
    (ARRAY['EUR','USD','GBP'])[1 + (n / ${linesOfStatement}) % 3], false, 'booked',
    (ARRAY['Ana Lima','Rui Johnson','Lukasz Kowalski','Grid Company'])[1 + ${word(21)} % 4] || ' ' || ${word(22)} % 5000,
    'DE' || lpad((${word(23)} % 100000000)::text, 20, '9'), 'REF' || n, '{}', ARRAY['Investment ORD-' || lpad(n::text, 8, '0')], '{}', '{}',
    CASE WHEN n % 50 = 0 AND $1::bigint - n < $1::bigint / 20 THEN 0 ELSE amount END
  FROM (SELECT n, ${instant('$1')} AS made, round((1000 + ${word(24)} % 90000000) / 100.0, 2) AS amount
    FROM generate_series(1::bigint, $1::bigint) n) numbers ORDER BY n`

const bankAllocations = `
  INSERT INTO bank_allocations (line_id, purpose, order_id, amount, cause, code, rule, evidence, made_by)
  SELECT l.id, purpose, CASE WHEN purpose = 'order' THEN 1 + l.id % $2::bigint END, l.amount,
    CASE WHEN purpose = 'refund' THEN 'overpaid' END, CASE WHEN purpose = 'ignored' THEN 'fee' END, 'hand', '{}', 'admin'
  FROM bank_lines l, LATERAL (SELECT CASE WHEN l.direction = 'debit' THEN 'ignored' WHEN l.id % 100 = 7 THEN 'refund' ELSE 'order' END AS purpose) p
  WHERE l.state = 'settled' AND l.id <= $1::bigint`

const refundsDue = `UPDATE bank_lines SET refund_due = amount WHERE id IN (SELECT line_id FROM bank_allocations WHERE purpose = 'refund')`

/** Some money stands on orders that have ended. */
const paidEndedOrders = `UPDATE orders SET received = 1 WHERE status IN ('expired', 'cancelled') AND id % 1000 = 1 AND $1::bigint > 0`

/** The sums of lines and orders are given above: the trigger that keeps them would take minutes. */
async function fillBank(client: pg.PoolClient, { bankLines: lines, orders: ofOrders }: ListSizes) {
  const statements = Math.ceil(lines / linesOfStatement)
  await client.query(bankAccounts)
  await client.query(bankImports, [statements])
  await client.query(bankStatements, [statements])
  await client.query(bankLines, [lines])
  await client.query('ALTER TABLE bank_allocations DISABLE TRIGGER bank_allocations_sums')
  await client.query(bankAllocations, [lines, ofOrders])
  await client.query(refundsDue)
  await client.query('ALTER TABLE bank_allocations ENABLE TRIGGER bank_allocations_sums')
  await client.query(paidEndedOrders, [ofOrders])
}

/** The rows of each member's only attempt, with the member's status. */
const submitted = `FROM members WHERE kyc_submission_count > 0 AND $1::bigint > 0`
const attempts = [
  `INSERT INTO kyc_step2 (member_id, attempt_number, status, submitted_at, date_of_birth, nationality, country_of_residence)
   SELECT id, 1, 'submitted', kyc_submitted_at, '1990-01-01', 'Portugal', 'Spain' ${submitted}`,
  `INSERT INTO kyc_step3 (member_id, attempt_number, status, submitted_at, document_type, front_document)
   SELECT id, 1, 'submitted', kyc_submitted_at, 'passport', 'document-' || id ${submitted}`,
  `INSERT INTO kyc_step4 (member_id, attempt_number, status, submitted_at, selfie)
   SELECT id, 1, 'submitted', kyc_submitted_at, 'selfie-' || id ${submitted}`,
  `INSERT INTO kyc_submissions (member_id, attempt_number, result, case_id, submitted_at)
   SELECT id, 1, CASE WHEN kyc_status IN ('approved', 'rejected', 'pending') THEN kyc_status ELSE 'under_review' END,
     'case-' || id, kyc_submitted_at ${submitted}`,
  `INSERT INTO kyc_verifications (member_id, attempt_number, status, submitted_at, decided_by, decided_at)
   SELECT id, 1, CASE kyc_status WHEN 'approved' THEN 'approved' WHEN 'rejected' THEN 'rejected'
     WHEN 'pending' THEN 'reset' ELSE 'pending' END, kyc_submitted_at, kyc_decided_by, kyc_decided_at ${submitted}`,
]

/** Fills every list of a database that `seed` filled with members, and folds the counts. */
export async function seedLists(database: Database, sizes: ListSizes): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('SET statement_timeout = 0')
    const { members } = sizes
    for (const statement of attempts) await client.query(statement, [members])
    await client.query(tokens)
    await client.query(wallets, [Math.ceil(members / 4)])
    await client.query(orders, [sizes.orders, members])
    await client.query(chainTransactions, [sizes.chainTransactions, Math.ceil(members / 4)])
    await client.query(platformTransactions, [sizes.platformTransactions, members])
    await client.query(auditRows, [sizes.auditRows, members])
    for (const statement of busyMember) await client.query(statement, [2500])
    await client.query(securityEvents, [Math.ceil(sizes.auditRows / 10)])
    await client.query(webhookLogs, [Math.ceil(sizes.auditRows / 5), members])
    await fillBank(client, sizes)
    await database.transaction(async (tx) => {
      for (const account of ['1', '2', '3', '4', '5', '6']) await checkStatements(tx, account)
    })
    await foldCounts({ database })
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
    await client.query('RESET statement_timeout')
  } finally {
    client.release()
  }
}
