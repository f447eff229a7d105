import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { withSessionSettings } from '#server/db/connection.ts'
import { listCalls, listFloors } from './list-calls.ts'
import type { LatencySamples } from './load.ts'
import { connections, measure, median, type Server, serve } from './measuring.ts'
import { seed } from './seed.ts'
import { seedLists } from './seed-lists.ts'

/**
 * Every list and figure of the console at full size, beside its aim, and as a ratio to the same SQL in a minimal handler (bare.ts). Ends with
 * those that miss their aim. What has a floor is compared with that instead.
 */
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
    /** Where the database is kept, and taken from as it is if it is there. Without it the database ends with the run. */
    folder: { type: 'string' },
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
const only = new RegExp(options.only)
const floors = listFloors(sizes)
const calls = listCalls(sizes).filter(([name]) => only.test(name))

const cell = (value: string | number) => String(value).padStart(10)

/** The statements of one call of the console, without those of its session. */
async function recorded(console_: Server, path: string): Promise<pg.QueryConfig[]> {
  const reply = await fetch(`http://127.0.0.1:${console_.port}${path}`, { headers: { cookie: console_.cookie } })
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

/** Makes the database and fills it, unless it is there. Brings it to the present migration either way. */
async function prepareDatabase(server: pg.ClientConfig): Promise<pg.PoolConfig> {
  const admin = new pg.Client(server)
  await admin.connect()
  const { rowCount } = await admin.query(`SELECT FROM pg_database WHERE datname = 'bench_lists'`)
  if (rowCount === 0) await admin.query('CREATE DATABASE bench_lists')
  await admin.end()
  const connection = { ...server, database: 'bench_lists' }
  await migrateDatabase(connection)
  if (rowCount !== 0) return connection
  const database = connectPool(connection, () => {})
  await seed(database, sizes.members)
  await seedLists(database, sizes)
  await database.close()
  return connection
}

const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'back-office-bench-')))
const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
try {
  const started = performance.now()
  const connection = await prepareDatabase(postgres.connection)
  const took = ((performance.now() - started) / 1000).toFixed(0)
  console.log(
    `${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.version}, ${connections} connections`,
  )
  console.log(`${JSON.stringify(sizes)}, ready in ${took} s; ${rounds} x ${seconds} s a call and server`)
  console.log(`${''.padEnd(44)}${['p50 ms', 'aim', 'p99 ms', 'req/s', 'bare req/s', 'ratio'].map(cell).join('')}`)
  const console_ = await serve('console.ts', { connection, isRecording: true })
  const queries: Record<string, pg.QueryConfig[]> = {}
  for (const [index, [name, path]] of calls.entries()) {
    const floor = floors[name]?.query
    queries[index] = floor ? [floor] : await recorded(console_, path)
  }
  console_.stop()
  const measured = await serve('console.ts', { connection })
  const bare = await serve('bare.ts', { connection: withSessionSettings(connection), queries })
  const missed: string[] = []
  for (const [index, [name, path, aim]] of calls.entries()) {
    await checkBare(bare, `/${index}`)
    const ours: LatencySamples[] = []
    const theirs: LatencySamples[] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(await measure(measured, path, seconds))
      theirs.push(await measure(bare, `/${index}`, seconds))
    }
    const ratio = median(ours.map((each, round) => each.requestsPerSecond / (theirs[round]?.requestsPerSecond ?? 0)))
    const p50 = median(ours.map((each) => each.p50))
    const figures = [
      p50.toFixed(1),
      aim,
      median(ours.map(({ p99 }) => p99)).toFixed(1),
      median(ours.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
      median(theirs.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
      `${(100 * ratio).toFixed(0)} %`,
    ]
    console.log(`${name.padEnd(44)}${figures.map(cell).join('')}`)
    if (p50 > aim) missed.push(`${name}: ${p50.toFixed(1)} ms, aim ${aim}`)
    const most = floors[name]?.most
    if (most !== undefined && 1 / ratio > most)
      missed.push(`${name}: ${(1 / ratio).toFixed(2)} x its floor, aim ${most}`)
  }
  console.log(missed.length > 0 ? ['', 'Missed:', ...missed].join('\n') : '\nAll reach their aim.')
  measured.stop()
  bare.stop()
} finally {
  await postgres.stop()
  if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
}
