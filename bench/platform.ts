/**
 * How many members per second the platform API accepts, as a ratio to a minimal Fastify handler with one upsert into the same
 * table: new members first, then the same again. Console, handler, load and database are separate processes. Rounds alternate
 * between the servers.
 *
 *   node bench/platform.ts [--seconds 4] [--rounds 3]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import type { LatencySamples } from './load.ts'
import { connections, head, measure, row, serve, type Server } from './measuring.ts'
import { addKey, key } from './platform-key.ts'

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, rounds: { type: 'string', default: '3' } },
})
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)

/** A migrated database for each server, so that neither finds the other's members. */
async function makeDatabase(postgres: pg.PoolConfig, database: string): Promise<pg.PoolConfig> {
  const admin = new pg.Client(postgres)
  await admin.connect()
  await admin.query(`CREATE DATABASE ${database}`)
  await admin.end()
  const connection = { ...postgres, database }
  await migrateDatabase(connection)
  return connection
}

const median = (seen: LatencySamples[]) =>
  seen.toSorted((one, other) => one.requestsPerSecond - other.requestsPerSecond)[Math.floor(seen.length / 2)]!

let batch = 0
/** `again`: repeats a hundred ids, each of which is known after its first time. */
async function compare(servers: [Server, string][], again: boolean): Promise<number> {
  const seen: LatencySamples[][] = servers.map(() => [])
  for (let round = -1; round < rounds; round++)
    for (const [at, [server, path]] of servers.entries()) {
      const count = again ? 100 : 1e9
      const puts = { of: 'members' as const, prefix: again ? 'again' : `b${batch++}`, count, key }
      const one = await measure(server, path, round < 0 ? 2 : seconds, puts)
      if (round >= 0) seen[at]!.push(one)
    }
  const [ours, bare] = seen.map(median)
  const what = again ? 'the same members again' : 'new members'
  row(`${what}: platform API`, ours!)
  row(`${what}: bare upsert`, bare!)
  return (100 * ours!.requestsPerSecond) / bare!.requestsPerSecond
}

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
try {
  const ours = await makeDatabase(postgres.connection, 'bench_ours')
  await addKey(ours)
  const console_ = await serve('console.ts', { connection: ours })
  const bare = await serve('bare-upsert.ts', { connection: await makeDatabase(postgres.connection, 'bench_bare') })
  console.log(
    `${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.version}, ${connections} connections,`,
  )
  console.log(`median of ${rounds} rounds of ${seconds} s; embedded PostgreSQL with fsync on`)
  head()
  const servers: [Server, string][] = [
    [console_, '/api/platform/v1/members'],
    [bare, '/members'],
  ]
  for (const again of [false, true])
    console.log(`  platform API / bare upsert: ${(await compare(servers, again)).toFixed(0)} %`)
  console_.stop()
  bare.stop()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
