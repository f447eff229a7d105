import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import pg from 'pg'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { serve, type Server } from './measuring.ts'
import { seed } from './seed.ts'
import { seedLists } from './seed-lists.ts'

/** What says how large the lists are, for `parseArgs`. */
export const databaseOptions = {
  members: { type: 'string', default: '1000000' },
  orders: { type: 'string', default: '200000' },
  transactions: { type: 'string', default: '2000000' },
  movements: { type: 'string', default: '2000000' },
  audit: { type: 'string', default: '500000' },
  bank: { type: 'string', default: '1000000' },
  /** Where the database is kept, and taken from as it is if it is there. Without it the database ends with the run. */
  folder: { type: 'string' },
} as const

type Given = Record<Exclude<keyof typeof databaseOptions, 'folder'>, string> & { folder?: string | undefined }

export const readSizes = (given: Given) => ({
  members: Number(given.members),
  orders: Number(given.orders),
  chainTransactions: Number(given.transactions),
  platformTransactions: Number(given.movements),
  auditRows: Number(given.audit),
  bankLines: Number(given.bank),
})

/** Makes the database and fills it, unless it is there. Brings it to the present migration either way. */
async function prepareDatabase(server: pg.ClientConfig, given: Given): Promise<pg.PoolConfig> {
  const sizes = readSizes(given)
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

/** Starts a database with every list filled, and stops it when `use` has ended. */
export async function withFilledDatabase(given: Given, use: (connection: pg.PoolConfig) => Promise<void>) {
  const folder = given.folder ?? (await mkdtemp(join(tmpdir(), 'back-office-bench-')))
  const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
  try {
    const started = performance.now()
    const connection = await prepareDatabase(postgres.connection, given)
    const took = ((performance.now() - started) / 1000).toFixed(0)
    console.log(`${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.version}`)
    console.log(`${JSON.stringify(readSizes(given))}, ready in ${took} s`)
    await use(connection)
  } finally {
    await postgres.stop()
    if (given.folder === undefined) await rm(folder, { recursive: true, force: true })
  }
}

export interface FilledConsole {
  server: Server
  /** A signed-in page in a context of its own. */
  openPage: () => Promise<Page>
}

/** Starts the console over a filled database, and a real browser. Needs a built console (`npm run build`). */
export const withFilledConsole = (given: Given, use: (started: FilledConsole) => Promise<void>) =>
  withFilledDatabase(given, async (connection) => {
    const server = await serve('console.ts', { connection })
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    })
    const url = `http://127.0.0.1:${server.port}`
    const [name = '', value = ''] = server.cookie.split('=')
    const openPage = async () => {
      const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
      await context.addCookies([{ name, value, url }])
      return context.newPage()
    }
    try {
      await use({ server, openPage })
    } finally {
      await browser.close()
      server.stop()
    }
  })
