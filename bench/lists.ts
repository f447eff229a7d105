import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import type { LatencySamples } from './load.ts'
import { connections, measure, median, type Server, serve } from './measuring.ts'
import { seed } from './seed.ts'
import { seedLists } from './seed-lists.ts'

/** Every list and figure of the console at full size, each as a ratio to the same SQL in a minimal handler (bare.ts). */
const { values: options } = parseArgs({
  options: {
    members: { type: 'string', default: '1000000' },
    orders: { type: 'string', default: '200000' },
    transactions: { type: 'string', default: '2000000' },
    movements: { type: 'string', default: '2000000' },
    audit: { type: 'string', default: '500000' },
    bank: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
    /** Rounds of one call, in each of which console and bare handler take turns; the medians count. */
    rounds: { type: 'string', default: '1' },
    /** Only calls whose name matches this regular expression. */
    only: { type: 'string', default: '' },
  },
})
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)
const sizes = {
  members: Number(options.members),
  orders: Number(options.orders),
  chainTransactions: Number(options.transactions),
  platformTransactions: Number(options.movements),
  auditRows: Number(options.audit),
  bankLines: Number(options.bank),
}
const deep = (rows: number) => Math.max(2, Math.floor(rows / 100))

const allCalls: [string, string][] = [
  ['users', '/api/users?page=1'],
  [`users, page ${deep(sizes.members)}`, `/api/users?page=${deep(sizes.members)}`],
  ['users, banned', '/api/users?kycBanned=true'],
  ['users, search (a surname)', '/api/users?search=johnson'],
  ['users, search (name and surname)', '/api/users?search=lukasz%20kowalski'],
  ['users, search, its exact total', '/api/users?search=johnson&total=exact'],
  ['orders', '/api/orders'],
  [`orders, page ${deep(sizes.orders)}`, `/api/orders?page=${deep(sizes.orders)}`],
  ['orders, waiting for payment', '/api/orders?status=waiting_payment'],
  ['orders, expiring', '/api/orders?expiring=24h'],
  ['orders, search (a number)', `/api/orders?search=ord-000${deep(sizes.orders)}`],
  ['orders, search (a project)', '/api/orders?search=harbour'],
  ['chain transactions', '/api/blockchain-transactions'],
  [
    `chain transactions, page ${deep(sizes.chainTransactions)}`,
    `/api/blockchain-transactions?page=${deep(sizes.chainTransactions)}`,
  ],
  ['chain transactions, failed', '/api/blockchain-transactions?status=failed'],
  ['chain transactions, figures', '/api/blockchain-transactions/figures'],
  ['chain transactions of a token', `/api/blockchain-transactions?status=completed&tokenAddress=0x${'3'.repeat(40)}`],
  ['platform transactions', '/api/transactions'],
  [
    `platform transactions, page ${deep(sizes.platformTransactions)}`,
    `/api/transactions?page=${deep(sizes.platformTransactions)}`,
  ],
  ['platform transactions, failed withdrawals', '/api/transactions?type=withdrawal&status=failed'],
  ['platform transactions of today', '/api/transactions?created=today&timeZone=Asia/Tokyo'],
  ['platform transactions of a member', '/api/transactions?userId=m-77'],
  ['platform transactions, search (a surname)', '/api/transactions?search=johnson'],
  ['platform transactions, search (an e-mail)', `/api/transactions?search=.${sizes.members - 7}@`],
  ['platform transactions, search (an id)', '/api/transactions?search=t-4242'],
  ['tokens', '/api/tokens/earning'],
  ['submissions', '/api/kyc/submission-history'],
  [
    `submissions, page ${deep(sizes.members) / 2}`,
    `/api/kyc/submission-history?page=${Math.floor(deep(sizes.members) / 2)}`,
  ],
  ['submissions, undecided', '/api/kyc/submission-history?undecided=true'],
  ['submissions, under review', '/api/kyc/submission-history?status=under_review'],
  ['submissions, search (a surname)', '/api/kyc/submission-history?search=johnson'],
  ['submissions, search (an e-mail)', `/api/kyc/submission-history?search=.${sizes.members - 7}@`],
  ['verifications, pending', '/api/kyc/verifications?status=pending'],
  ['verifications, search (a surname)', '/api/kyc/verifications?search=johnson'],
  ['step 2 history', '/api/kyc/step2-history'],
  ['step 3 history', '/api/kyc/step3-history'],
  ['step 4 history, search (a surname)', '/api/kyc/step4-history?search=johnson'],
  ['KYC figures', '/api/kyc/analytics'],
  ['webhook logs', '/api/kyc/webhook-logs'],
  ['webhook figures', '/api/kyc/webhook-stats'],
  ['security events', '/api/security/events?resolved=false'],
  ['security events, resolved', '/api/security/events?resolved=true'],
  ['orders of a member', '/api/orders?userId=m-77'],
  ['security figures', '/api/security/figures'],
  ['admin logs', '/api/admin/logs'],
  [`admin logs, page ${deep(sizes.auditRows)}`, `/api/admin/logs?page=${deep(sizes.auditRows)}`],
  ['admin logs, KYC actions', '/api/admin/logs?action=approve_kyc'],
  ['bank accounts', '/api/bank/accounts'],
  ['bank statements', '/api/bank/statements'],
  ['bank lines', '/api/bank/lines'],
  [`bank lines, page ${deep(sizes.bankLines)}`, `/api/bank/lines?page=${deep(sizes.bankLines)}`],
  ['bank lines, work', '/api/bank/lines?work=todo'],
  ['bank lines of an account, open', '/api/bank/lines?accountId=2&state=open'],
  ['bank lines, overdue', '/api/bank/lines?attention=overdue'],
  ['bank lines, money on ended orders', '/api/bank/lines?attention=ended_order'],
  ['bank lines, refunds due', '/api/bank/lines?attention=refund_due'],
  ['bank statements, gaps', '/api/bank/statements?attention=gap'],
  ['bank lines, search (a surname)', '/api/bank/lines?search=johnson'],
  ['bank lines, search (an order number)', `/api/bank/lines?search=ord-000${deep(sizes.bankLines)}`],
  ['bank lines, search (an amount)', '/api/bank/lines?search=1234.50'],
  ['dashboard figures', '/api/analytics'],
  ['notices', '/api/notices'],
  ['search everywhere', '/api/search?q=johnson'],
]

const only = new RegExp(options.only)
const calls = allCalls.filter(([name]) => only.test(name))

const cell = (value: string | number) => String(value).padStart(10)

/** The statements of one call of the console, without those of its session. */
async function recorded(console_: Server, path: string): Promise<pg.QueryConfig[]> {
  const reply = await fetch(`http://127.0.0.1:${console_.port}${path}`, {
    headers: { cookie: console_.cookie },
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
  const statements = (await (await fetch(`http://127.0.0.1:${console_.port}/recorded`)).json()) as pg.QueryConfig[]
  if (statements.length === 0) throw new Error(`${path}: no statement was recorded`)
  return statements
}

/** Throws where the bare handler fails or finds nothing: then there is nothing to compare with. */
async function checkBare(bare: Server, path: string) {
  const reply = await fetch(`http://127.0.0.1:${bare.port}${path}`)
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path}: the bare handler answers ${reply.status} ${text}`)
  const { rows, more } = JSON.parse(text) as { rows: unknown[]; more: unknown[][] }
  if ([rows, ...more].every((each) => each.length === 0)) throw new Error(`${path}: the bare handler finds nothing`)
}

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
try {
  const admin = new pg.Client(postgres.connection)
  await admin.connect()
  await admin.query('CREATE DATABASE bench_lists')
  await admin.end()
  const connection = { ...postgres.connection, database: 'bench_lists' }
  await migrateDatabase(connection)
  const database = connectPool(connection, () => {})
  const started = performance.now()
  await seed(database, sizes.members)
  await seedLists(database, sizes)
  await database.close()
  const took = ((performance.now() - started) / 1000).toFixed(0)
  console.log(
    `${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.version}, ${connections} connections`,
  )
  console.log(`${JSON.stringify(sizes)}, seeded in ${took} s; ${rounds} x ${seconds} s a call and server`)
  console.log(`${''.padEnd(44)}${['p50 ms', 'p99 ms', 'req/s', 'bare req/s', 'ratio'].map(cell).join('')}`)
  const console_ = await serve('console.ts', { connection, isRecording: true })
  const queries: Record<string, pg.QueryConfig[]> = {}
  for (const [index, [, path]] of calls.entries()) queries[index] = await recorded(console_, path)
  console_.stop()
  const measured = await serve('console.ts', { connection })
  const bare = await serve('bare.ts', { connection, queries })
  for (const [index, [name, path]] of calls.entries()) {
    await checkBare(bare, `/${index}`)
    const ours: LatencySamples[] = []
    const theirs: LatencySamples[] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(await measure(measured, path, seconds))
      theirs.push(await measure(bare, `/${index}`, seconds))
    }
    const ratio = median(ours.map((each, round) => each.requestsPerSecond / (theirs[round]?.requestsPerSecond ?? 0)))
    const figures = [
      median(ours.map(({ p50 }) => p50)).toFixed(1),
      median(ours.map(({ p99 }) => p99)).toFixed(1),
      median(ours.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
      median(theirs.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
      `${(100 * ratio).toFixed(0)} %`,
    ]
    console.log(`${name.padEnd(44)}${figures.map(cell).join('')}`)
  }
  measured.stop()
  bare.stop()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
