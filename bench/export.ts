/**
 * How fast a list is exported, and whether the server's memory stays flat: fills a temporary embedded database with members,
 * downloads all of them twice from a console in its own process, then the hits of a search.
 *
 *   node bench/export.ts [members, default 1000000]
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { forkWith } from './given.ts'
import { readMemory } from './measuring.ts'
import { seed } from './seed.ts'

const members = Number(process.argv[2] ?? 1_000_000)

/** Downloads one export. Prints its time and the server's memory meanwhile. */
async function download(server: ChildProcess, { port, cookie }: { port: number; cookie: string }, query: string) {
  const before = await readMemory(server.pid!)
  let most = before
  const watching = setInterval(() => void readMemory(server.pid!).then((now) => (most = Math.max(most, now))), 100)
  const started = performance.now()
  const reply = await fetch(`http://127.0.0.1:${port}/api/exports/users${query}`, { headers: { cookie } })
  if (!reply.ok || !reply.body) throw new Error(`${reply.status}: ${await reply.text()}`)
  const firstByte = performance.now() - started
  let bytes = 0
  let lines = 0
  for await (const part of reply.body) {
    bytes += part.length
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) lines += 1
  }
  const seconds = (performance.now() - started) / 1000
  clearInterval(watching)
  console.log(
    `${(query || 'all').padEnd(20)} ${lines - 1} rows, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s ` +
      `(${Math.round((lines - 1) / seconds)} rows/s), first byte after ${firstByte.toFixed(0)} ms; ` +
      `memory ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`,
  )
}

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
try {
  await migrateDatabase(postgres.connection)
  const seeding = connectPool(postgres.connection, () => {})
  await seed(seeding, members)
  await seeding.close()
  const server = forkWith('console.ts', { connection: postgres.connection })
  const [about] = (await once(server, 'message')) as [{ port: number; cookie: string }]
  for (const query of ['', '', '?search=johnson', '?kycBanned=true']) await download(server, about, query)
  server.disconnect()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
