import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import pg from 'pg'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { serve } from './measuring.ts'
import { seed } from './seed.ts'
import { seedLists } from './seed-lists.ts'

/**
 * The time from J to the next member whole in Peek, painted, in a real browser (product 5.19). Needs a built console (`npm run
 * build`).
 */
const { values: options } = parseArgs({
  options: {
    members: { type: 'string', default: '1000000' },
    orders: { type: 'string', default: '200000' },
    /** How often J is pressed at each pace. */
    steps: { type: 'string', default: '120' },
    /** Milliseconds between two keys. */
    paces: { type: 'string', default: '600,250' },
    /** A file with the connection of a filled database. */
    connection: { type: 'string' },
  },
})

/** Waits in the page for the next member: another address, the name of the active row, nothing dimmed, and the activity. */
async function watchStep(): Promise<number> {
  const shown = location.search
  const pressed = await new Promise<number>((resolve) =>
    addEventListener('keydown', ({ timeStamp }) => resolve(timeStamp), { capture: true, once: true }),
  )
  const isWhole = () => {
    const panel = document.querySelector('[data-peek]')
    const name = document.querySelector('tr[aria-current] [data-row-link]')?.textContent
    return (
      location.search !== shown &&
      panel?.querySelector('h2')?.textContent === name &&
      !panel?.querySelector('[aria-busy=true]') &&
      panel?.querySelector('ol li') !== null
    )
  }
  while (!isWhole()) await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  return performance.now() - pressed
}

const at = (times: number[], share: number) =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0

async function measure(connection: pg.PoolConfig) {
  const server = await serve('console.ts', { connection })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const url = `http://127.0.0.1:${server.port}`
  const [name = '', value = ''] = server.cookie.split('=')
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  console.log(`${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.version}`)
  for (const pace of options.paces.split(',').map(Number)) {
    await page.goto('/users')
    await page.getByRole('row').nth(20).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Space')
    await page.locator('[data-peek] ol li').first().waitFor()
    await page.waitForTimeout(1000)
    const times: number[] = []
    for (let step = 0; step < Number(options.steps); step++) {
      const watched = page.evaluate(watchStep)
      // The page listens before the key comes.
      await page.waitForTimeout(pace)
      await page.keyboard.press('j')
      times.push(await watched)
    }
    console.log(
      `J every ${pace} ms: p50 ${at(times, 0.5).toFixed(0)} ms, p95 ${at(times, 0.95).toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms`,
    )
  }
  await browser.close()
  server.stop()
}

if (options.connection) {
  await measure(JSON.parse(await readFile(options.connection, 'utf8')) as pg.PoolConfig)
} else {
  const members = Number(options.members)
  const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
  try {
    const admin = new pg.Client(postgres.connection)
    await admin.connect()
    await admin.query('CREATE DATABASE bench_peek')
    await admin.end()
    const connection = { ...postgres.connection, database: 'bench_peek' }
    await migrateDatabase(connection)
    const database = connectPool(connection, () => {})
    await seed(database, members)
    const few = { chainTransactions: 1000, platformTransactions: 1000, auditRows: 1000, bankLines: 1000 }
    await seedLists(database, { members, orders: Number(options.orders), ...few })
    await database.close()
    await measure(connection)
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
