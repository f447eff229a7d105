import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { pageQuery } from '#server/db/list.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { memberList } from '#server/features/members/list.ts'
import type { LatencySamples } from './load.ts'
import { connections, head, measure, row, serve, type Server } from './measuring.ts'
import { seed } from './seed.ts'

const { values: options } = parseArgs({
  options: {
    members: { type: 'string', default: '100000,1000000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
})
const sizes = options.members.split(',').map(Number)
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)

/** The median round of each server. Rounds alternate, so that a busy moment of the machine affects all. */
async function compare(servers: [Server, string][]): Promise<LatencySamples[]> {
  const seen: LatencySamples[][] = servers.map(() => [])
  for (const [server, path] of servers) await measure(server, path, 2)
  for (let round = 0; round < rounds; round++)
    for (const [index, [server, path]] of servers.entries()) seen[index]!.push(await measure(server, path, seconds))
  return seen.map(
    (all) => all.toSorted((one, other) => one.requestsPerSecond - other.requestsPerSecond)[Math.floor(rounds / 2)]!,
  )
}

/** Measures one size. Returns the console's p50 of the first page. */
async function measureSize(postgres: pg.PoolConfig, members: number): Promise<number> {
  const database = `bench_${members}`
  const admin = new pg.Client(postgres)
  await admin.connect()
  await admin.query(`CREATE DATABASE ${database}`)
  await admin.end()
  const connection = { ...postgres, database }
  await migrateDatabase(connection)
  const seeding = connectPool(connection, () => {})
  const started = performance.now()
  await seed(seeding, members)
  await seeding.close()
  console.log(
    `\n${members.toLocaleString('en')} members (seeded in ${((performance.now() - started) / 1000).toFixed(0)} s)`,
  )
  head()

  const first = pageQuery(memberList, { page: 1, limit: 50 })
  const naive = {
    name: 'naive',
    text: 'SELECT *, (SELECT count(*) FROM members) AS total FROM members ORDER BY created_at DESC, id DESC LIMIT 50',
  }
  const console_ = await serve('console.ts', { connection })
  const bare = await serve('bare.ts', { connection, queries: { same: first, naive } })
  const [ours, same] = await compare([
    [console_, '/api/users?limit=50&page=1'],
    [bare, '/same'],
  ])
  row('users page 1, exact total: console', ours!)
  row('users page 1, exact total: bare handler, same SQL', same!)
  row('users page 1, exact total: bare handler, count(*)', await measure(bare, '/naive', seconds))
  const middle = Math.floor(members / 100)
  for (const [name, query] of [
    [`users page ${middle}`, `page=${middle}`],
    [`users page ${members / 50}, the last`, `page=${members / 50}`],
    ['users banned, page 1', 'kycBanned=true'],
    ['users completed and banned, page 1', 'kycStatus=completed&kycBanned=true'],
    ['users pending, page 200', 'kycStatus=pending&page=200'],
    ['search, one hit (e-mail)', `search=.${members - 7}@`],
    ['search, name and surname', 'search=lukasz%20kowalski'],
    ['search, capped (a surname)', 'search=johnson'],
    ['search, capped (one letter)', 'search=a'],
  ] as const)
    row(`${name}: console`, await measure(console_, `/api/users?limit=50&${query}`, Math.min(seconds, 3)))
  row(
    'search with total=exact (a surname): console',
    await measure(console_, '/api/users?search=johnson&total=exact', 3),
  )
  row('user detail: console', await measure(console_, `/api/users/m-${members - 7}`, Math.min(seconds, 3)))
  const ratio = (100 * ours!.requestsPerSecond) / same!.requestsPerSecond
  console.log(`console / bare handler, requests per second: ${ratio.toFixed(0)} %`)
  console_.stop()
  bare.stop()
  return ours!.p50
}

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
try {
  console.log(
    `${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.version}, ${connections} connections,`,
  )
  console.log(`median of ${rounds} rounds of ${seconds} s; embedded PostgreSQL with fsync on`)
  const medians: number[] = []
  for (const members of sizes) medians.push(await measureSize(postgres.connection, members))
  if (medians.length > 1)
    console.log(
      `\np50 of page 1 from ${sizes[0]} to ${sizes.at(-1)} members: × ${(medians.at(-1)! / medians[0]!).toFixed(2)}`,
    )
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
