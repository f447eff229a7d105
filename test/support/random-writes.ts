import { bankDirections, bookingStates } from '#contract/bank.ts'
import { severities } from '#contract/security.ts'
import { kycStatuses, stepStatuses, submissionResults, verificationStatuses } from '#contract/kyc.ts'
import { orderStatuses } from '#contract/order-moves.ts'
import { transactionStatuses, transactionTypes } from '#contract/transactions.ts'
import { receivedStates } from '#server/db/tables/messages.ts'

/** One of the values, for each row another. */
const pick = (...values: readonly (string | null)[]) =>
  `(ARRAY[${values.map((value) => (value === null ? 'NULL' : `'${value}'`)).join(', ')}])[1 + floor(random() * ${values.length})::int]`
const hex = (digits: number) => `'0x' || left(md5(random()::text) || md5(random()::text), ${digits})`
const day = `timestamptz '2026-01-10 12:00Z' + random() * interval '4 days'`
const number = 'floor(random() * 1e9)::int'
const boolean = 'random() < 0.5'
const member = `coalesce((SELECT id FROM members ORDER BY random() LIMIT 1), 'kept')`
const some = 'random() < 0.3'

/** The values of a new row by column; rows of the table change by those of `change`. */
interface Writing {
  table: string
  row: Record<string, string>
  change: Record<string, string>
  /** Rows that may change. All by default. */
  isChangeable?: string
  isKept?: string
  /** The database refuses every DELETE. */
  canDelete?: false
}

const attempt = (status: string) => ({
  row: { member_id: member, attempt_number: number, submitted_at: day, status },
  change: { status, submitted_at: day },
})
const sent = pick('waiting', 'sending', 'delivered', 'failed', 'dropped')
const received = pick(...receivedStates)
const message = {
  type: `'t'`,
  entity_type: `'member'`,
  entity_id: 'gen_random_uuid()',
  attempt_number: number,
  created_at: day,
}
const event = { event_row: `nextval('event_rows')`, endpoint_id: '1 + floor(random() * 2)::int' }
const changed = { state: `CASE direction WHEN 'out' THEN ${sent} ELSE ${received} END` }
const transaction = {
  amount: 'round((random() * 1000)::numeric, 6)',
  status: pick(...transactionStatuses),
  created_at: day,
}
const token = {
  token_address: pick(`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`),
  token_symbol: pick('A', 'B/C', null),
}

const keptLine = `(SELECT id FROM bank_lines WHERE key LIKE 'kept%' ORDER BY random() LIMIT 1)`
const allocation = {
  amount: '0.01 + round(random()::numeric, 2)',
  rule: `'hand'`,
  evidence: `'{}'::jsonb`,
  made_by: `'x'`,
}
const undo = {
  change: { undone_at: 'now()', undone_by: `'x'`, undo_reason: `'x'` },
  isChangeable: 'undone_at IS NULL',
  canDelete: false,
} as const

const writings: readonly Writing[] = [
  {
    table: 'members',
    row: {
      id: 'gen_random_uuid()',
      email: 'gen_random_uuid()',
      membership_id: 'gen_random_uuid()',
      kyc_status: pick(...kycStatuses, null),
      kyc_submission_count: 'floor(random() * 2)::int',
      created_at: day,
    },
    change: { kyc_status: pick(...kycStatuses, null), kyc_submission_count: 'floor(random() * 2)::int' },
    isKept: `id = 'kept' OR id IN (SELECT member_id FROM orders)`,
  },
  {
    table: 'members',
    row: { id: 'gen_random_uuid()', email: 'gen_random_uuid()', membership_id: 'gen_random_uuid()' },
    change: {
      banned: 'NOT banned',
      banned_reason: `CASE WHEN NOT banned THEN 'x' END`,
      banned_by: `CASE WHEN NOT banned THEN 'x' END`,
      banned_at: `CASE WHEN NOT banned THEN now() END`,
    },
    isKept: 'true',
  },
  {
    table: 'orders',
    row: {
      order_number: 'gen_random_uuid()',
      member_id: member,
      ...Object.fromEntries(
        'project_id project_name bank_name account_holder account_number iban swift payment_instructions'
          .split(' ')
          .map((name) => [name, `'x'`]),
      ),
      investment_amount: '1 + floor(random() * 100)',
      currency: pick('EUR', 'GBP'),
      status: pick(...orderStatuses),
      expires_at: day,
      created_at: day,
    },
    change: { status: pick(...orderStatuses), investment_amount: 'investment_amount + 0.01', created_at: day },
  },
  {
    table: 'bank_lines',
    row: {
      account_id: '1 + floor(random() * 2)::int',
      statement_id: '1',
      key: 'gen_random_uuid()',
      occurrence: '1',
      place: `'x'`,
      position: '1',
      booked_on: `(${day})::date`,
      direction: pick(...bankDirections),
      amount: 'round((random() * 1000)::numeric, 2)',
      currency: `'EUR'`,
      is_reversal: boolean,
      booking: pick(...bookingStates),
      structured: `'{}'::text[]`,
      remittance: `'{}'::text[]`,
      info: `'{}'::text[]`,
      details: `'{}'::jsonb`,
    },
    change: {
      booking: pick(...bookingStates),
      allocated: 'amount * (floor(random() * 3) / 2)::numeric',
      booked_on: `(${day})::date`,
    },
    isChangeable: `key NOT LIKE 'kept%'`,
    isKept: `key LIKE 'kept%'`,
  },
  {
    table: 'bank_allocations',
    row: { line_id: keptLine, purpose: `'ignored'`, code: `'fee'`, ...allocation },
    ...undo,
  },
  {
    table: 'bank_allocations',
    row: { line_id: keptLine, purpose: `'refund'`, cause: `'late'`, ...allocation },
    ...undo,
  },
  {
    table: 'platform_transactions',
    row: { id: 'gen_random_uuid()', member_id: member, type: pick(...transactionTypes), ...transaction },
    change: { type: pick(...transactionTypes), ...transaction },
  },
  {
    table: 'chain_transactions',
    row: {
      transaction_hash: hex(64),
      log_index: '0',
      wallet_address: hex(40),
      transaction_type: pick(...transactionTypes),
      is_imported: 'true',
      ...token,
      ...transaction,
    },
    change: { ...token, ...transaction },
  },
  {
    table: 'security_events',
    row: { severity: pick(...severities), event_type: `'x'`, description: `'x'`, created_at: day },
    change: { resolved_at: `CASE WHEN resolved_at IS NULL THEN now() END`, severity: pick(...severities) },
  },
  {
    table: 'audit_log',
    row: {
      actor_kind: `'system'`,
      actor_name: `'x'`,
      action: pick('login', 'platform_call', 'ban_user'),
      details: `'{}'::jsonb`,
      created_at: day,
    },
    change: {},
    isKept: 'true',
  },
  { table: 'kyc_verifications', ...attempt(pick(...verificationStatuses)) },
  {
    table: 'kyc_submissions',
    row: {
      member_id: member,
      attempt_number: number,
      result: pick(...submissionResults),
      auto_processed: boolean,
      case_id: 'gen_random_uuid()',
      submitted_at: day,
    },
    change: { result: pick(...submissionResults), auto_processed: boolean },
  },
  {
    table: 'kyc_step2',
    ...withRow(attempt(pick(...stepStatuses)), {
      date_of_birth: `'1990-01-01'::date`,
      nationality: `'x'`,
      country_of_residence: `'x'`,
    }),
  },
  { table: 'kyc_step3', ...withRow(attempt(pick(...stepStatuses)), { document_type: `'x'`, front_document: `'x'` }) },
  { table: 'kyc_step4', ...withRow(attempt(pick(...stepStatuses)), { selfie: `'x'` }) },
  {
    table: 'messages',
    row: { channel: `'platform'`, direction: `'out'`, state: sent, ...event, ...message },
    change: changed,
  },
  { table: 'messages', row: { channel: `'kyc'`, direction: `'out'`, state: sent, ...message }, change: changed },
  { table: 'messages', row: { channel: `'email'`, direction: `'out'`, state: sent, ...message }, change: changed },
  { table: 'messages', row: { channel: `'kyc'`, direction: `'in'`, state: received, ...message }, change: changed },
  {
    table: 'message_attempts',
    row: {
      message_id: '(SELECT id FROM messages ORDER BY random() LIMIT 1)',
      channel: pick('kyc', 'platform'),
      try_number: '1',
      success: boolean,
      created_at: day,
    },
    change: { success: boolean, channel: pick('kyc', 'platform') },
  },
]

function withRow(writing: Pick<Writing, 'row' | 'change'>, row: Record<string, string>) {
  return { ...writing, row: { ...writing.row, ...row } }
}

function buildStatement(writing: Writing, kind: number): string {
  const { table, row, change, isChangeable = 'true', isKept = 'false', canDelete = true } = writing
  const columns = Object.keys(row).join(', ')
  const insert = `INSERT INTO ${table} (${columns})
    SELECT ${Object.values(row).join(', ')} FROM generate_series(1, 1 + floor(random() * 6)::int)`
  const set = Object.entries(change).map(([name, value]) => `${name} = ${value}`)
  if (kind < 0.5 || set.length === 0) return insert
  if (kind < 0.85 || !canDelete) return `UPDATE ${table} SET ${set.join(', ')} WHERE ${some} AND ${isChangeable}`
  return `DELETE FROM ${table} WHERE ${some} AND NOT (${isKept})`
}

/** A number from 0 to 1, the same ones for the same seed. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

/**
 * Writes to every table that is counted: rows that come, change and go, several in one statement, some rolled back. To be
 * sent over one connection.
 */
export function* randomWrites(seed: number): Generator<string[], never> {
  const random = numbers(seed)
  const next = () => random.next().value
  yield [`SELECT setseed(${next()})`, `INSERT INTO members (id, email, membership_id) VALUES ('kept', 'kept', 'kept')`]
  yield [
    `INSERT INTO platform_endpoints (name, created_by) VALUES ('Other', 'x')`,
    `CREATE TEMP SEQUENCE event_rows`,
    `INSERT INTO platform_events (type, entity_type, entity_id, version, payload)
      SELECT 't', 'member', n, 1, '{}' FROM generate_series(1, 2000) AS n`,
  ]
  yield [
    `INSERT INTO bank_accounts (name, account, account_key, currency) VALUES ('A', 'A', 'A', 'EUR'), ('B', 'B', 'B', 'EUR')`,
    `INSERT INTO bank_imports
      (sha256, file_name, format, size, lines_new, lines_known, unreadable_count, warnings, unreadable, imported_by)
      VALUES (repeat('0', 64), 'x', 'CSV', 1, 0, 0, 0, '{}', '{}', 'x')`,
    `INSERT INTO bank_statements (import_id, account_id, kind) VALUES (1, 1, 'CSV')`,
    `INSERT INTO bank_lines (account_id, statement_id, key, occurrence, place, position, direction, amount, currency, is_reversal,
      booking, structured, remittance, info, details)
      SELECT account, 1, 'kept ' || direction, 1, 'x', 1, direction, 1e9, 'EUR', false, 'booked', '{}', '{}', '{}', '{}'
      FROM (VALUES (1, 'credit'), (2, 'credit'), (1, 'debit')) AS line(account, direction)`,
  ]
  for (const writing of writings) yield [buildStatement(writing, 0)]
  for (;;) {
    const one = buildStatement(writings[Math.floor(next() * writings.length)]!, next())
    yield next() < 0.1 ? ['BEGIN', one, 'ROLLBACK'] : [one]
  }
}
