import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { paymentDetails } from '#test/support/payment-details.ts'

/** Entities that are changed once each. */
export interface SeededTargets {
  bans: string[]
  approvals: string[]
  results: string[]
  /** Orders by number and row. */
  payments: { number: string; id: string }[]
  cancellations: { number: string; id: string }[]
  /** Bank lines, each with the order that it pays. */
  lines: { id: string; number: string; orderId: string }[]
}

const names = (prefix: string) => `'${prefix}-' || n`
const series = 'generate_series(1, $1::int) AS n'
/** Letters instead of digits, so that no two people have the same name. */
const surname = `'Lima' || translate(n::text, '0123456789', 'abcdefghij')`

const addMembers = (client: pg.Client, prefix: string, count: number, columns: Record<string, string> = {}) => {
  const more = Object.entries(columns)
  return client.query(
    `INSERT INTO members (id, email, legal_first_name, legal_last_name${more.map(([name]) => `, ${name}`).join('')})
     SELECT ${names(prefix)}, ${names(prefix)} || '@example.com', 'Ana', ${surname}${more.map(([, value]) => `, ${value}`).join('')}
     FROM ${series}`,
    [count],
  )
}

/** Submitted attempts of members who wait for a decision. */
async function addCases(client: pg.Client, prefix: string, count: number) {
  await addMembers(client, prefix, count, {
    kyc_status: `'under_review'`,
    kyc_submission_count: '1',
    kyc_current_step: '4',
    kyc_submitted_at: 'now()',
  })
  const submitted = `member_id, attempt_number, submitted_at`
  const values = `${names(prefix)}, 1, now()`
  const add = (table: string, columns: string, more: string) =>
    client.query(`INSERT INTO ${table} (${submitted}, ${columns}) SELECT ${values}, ${more} FROM ${series}`, [count])
  await add(
    'kyc_step2',
    'status, date_of_birth, nationality, country_of_residence',
    `'submitted', '1991-03-14', 'PT', 'ES'`,
  )
  await add('kyc_step3', 'status, document_type, front_document', `'submitted', 'passport', 'front-' || n`)
  await add('kyc_step4', 'status, selfie', `'submitted', 'selfie-' || n`)
  await add('kyc_submissions', 'case_id', `'case-' || ${names(prefix)}`)
  await add('kyc_verifications', 'document_type, nationality', `'passport', 'PT'`)
}

const orderColumns =
  'order_number, member_id, project_id, project_name, investment_amount, currency, expires_at, bank_name, account_holder, account_number, iban, swift, payment_instructions'

async function addOrders(client: pg.Client, prefix: string, count: number, member = names(prefix)) {
  const { bankName, accountHolder, accountNumber, iban, swift, paymentInstructions } = paymentDetails
  const { rows } = await client.query<{ number: string; id: string }>(
    `INSERT INTO orders (${orderColumns})
     SELECT ${names(prefix)}, ${member}, 'p-1', 'Solar Park', 100.00, 'EUR', now() + interval '30 days', $2, $3, $4, $5, $6, $7
     FROM ${series} RETURNING order_number AS number, id::text`,
    [count, bankName, accountHolder, accountNumber, iban, swift, paymentInstructions],
  )
  return rows
}

/** Booked credits, each of the payer and the amount of an order that waits. */
async function addLines(client: pg.Client, count: number): Promise<SeededTargets['lines']> {
  await addMembers(client, 'payer', count)
  const orders = await addOrders(client, 'payer', count)
  const account = await client.query<{ id: string }>(
    `INSERT INTO bank_accounts (name, account, account_key, currency) VALUES ('Giro', '700001', '700001', 'EUR') RETURNING id::text`,
  )
  const file = await client.query<{ id: string }>(
    `INSERT INTO bank_imports (sha256, file_name, format, size, lines_new, lines_known, unreadable_count, warnings, unreadable, imported_by)
     VALUES ($1, 'statement.xml', 'camt', 1, $2, 0, 0, '{}', '{}', 'faults') RETURNING id::text`,
    ['0'.repeat(64), count],
  )
  const statement = await client.query<{ id: string }>(
    `INSERT INTO bank_statements (import_id, account_id, kind, number) VALUES ($1, $2, 'camt.053', '1') RETURNING id::text`,
    [file.rows[0]!.id, account.rows[0]!.id],
  )
  const { rows } = await client.query<{ id: string; number: string }>(
    `INSERT INTO bank_lines (account_id, statement_id, key, occurrence, place, position, booked_on, direction, amount, currency,
       is_reversal, booking, payer_name, structured, remittance, info, details)
     SELECT $2, $3, 'key-' || n, 1, 'line ' || n, n, current_date, 'credit', 100.00, 'EUR', false, 'booked', 'Ana ' || ${surname},
       '{}', ARRAY[${names('payer')}], '{}', '{}' FROM ${series} RETURNING id::text, remittance[1] AS number`,
    [count, account.rows[0]!.id, statement.rows[0]!.id],
  )
  const ids = new Map(orders.map(({ number, id }) => [number, id]))
  return rows.map((row) => ({ ...row, orderId: ids.get(row.number)! }))
}

/** Adds entities to change, `count` of each kind. */
export async function seedTargets(client: pg.Client, count: number): Promise<SeededTargets> {
  const list = (prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}-${n + 1}`)
  await addMembers(client, 'ban', count)
  await addCases(client, 'approval', count)
  await addCases(client, 'result', count)
  await addMembers(client, 'buyer', 1)
  return {
    bans: list('ban'),
    approvals: list('approval'),
    results: list('result'),
    payments: await addOrders(client, 'paid', count, `'buyer-1'`),
    cancellations: await addOrders(client, 'cancelled', count, `'buyer-1'`),
    lines: await addLines(client, Math.min(count, 300)),
  }
}

/** Signs operators in and returns their cookies, whose name holds the console's port. */
export async function addSessions(client: pg.Client, usernames: string[], port: string): Promise<string[]> {
  const cookies: string[] = []
  for (const username of usernames) {
    const token = randomBytes(32).toString('base64url')
    await client.query(
      `INSERT INTO sessions (token_hash, admin_id, ip_address, user_agent)
       SELECT $1, id, '127.0.0.1', 'faults' FROM admins WHERE username = $2`,
      [createHash('sha256').update(token).digest(), username],
    )
    cookies.push(`sid-${port}=${token}`)
  }
  return cookies
}
