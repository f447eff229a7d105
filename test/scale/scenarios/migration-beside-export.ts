import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { accountsOf } from '#server/db/embedded/roles.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { readPath, type Scenario, waitForChanges } from '#test/faults/scenario.ts'
import { type Load, runUnderLoad } from '#test/faults/under-load.ts'

const exportMs = 12_000
/** What a migration may add to a read. */
const mostMs = 1500
const readers = 4
const folder = join(import.meta.dirname, '../../../drizzle')

/** The migrations of this version, and a later one that needs a table for itself. */
async function addMigration(round: number): Promise<string> {
  const migrations = await mkdtemp(join(tmpdir(), 'back-office-later-'))
  await cp(folder, migrations, { recursive: true })
  const later = join(migrations, '29990101000000_later')
  await mkdir(later)
  await writeFile(join(later, 'migration.sql'), `ALTER TABLE "members" ADD COLUMN "later_${round}" text`)
  return migrations
}

/** Commands of this version refuse a database of a later one. */
const forgetMigration = ({ installation }: Load) =>
  installation.query((client) => client.query(`DELETE FROM drizzle.__drizzle_migrations WHERE name LIKE '2999%'`))

/** Reads the list of members again and again, as operators do. */
async function readUntil({ installation }: Load, isOver: () => boolean) {
  const reads = { answered: 0, slowest: 0, failed: [] as string[] }
  while (!isOver()) {
    const begun = performance.now()
    const reply = await fetch(`${installation.origin}${readPath}`, { headers: { cookie: installation.cookies[0]! } })
    const text = await reply.text()
    if (reply.status !== 200) reads.failed.push(`a read was answered with ${reply.status}: ${text}`)
    reads.answered += 1
    reads.slowest = Math.max(reads.slowest, performance.now() - begun)
  }
  return reads
}

/** The slowest read of five seconds in which nobody migrates. */
async function measureBefore(load: Load): Promise<number> {
  const end = performance.now() + 5000
  const reads = await Promise.all(Array.from({ length: readers }, () => readUntil(load, () => performance.now() > end)))
  return Math.max(...reads.map(({ slowest }) => slowest))
}

/** Holds the table of members as an export does, while a server of a later version migrates. */
async function migrateBesideExport(load: Load, round: number) {
  const { cluster } = load.installation
  const migrationsFolder = await addMigration(round)
  const said: string[] = []
  let isOver = false
  const reading = Promise.all(Array.from({ length: readers }, () => readUntil(load, () => isOver)))
  try {
    const exporting = load.installation.query(async (client) => {
      await client.query('BEGIN; SELECT count(*) FROM members')
      await pause(exportMs)
      await client.query('COMMIT')
    })
    const begun = performance.now()
    await migrateDatabase(accountsOf(cluster.connection).owner, { migrationsFolder, say: (line) => said.push(line) })
    const ms = performance.now() - begun
    await exporting
    return { ms, said, reads: await endReading() }
  } finally {
    await endReading()
    await forgetMigration(load)
    await rm(migrationsFolder, { recursive: true })
  }

  function endReading() {
    isOver = true
    return reading
  }
}

export const migrationBesideExport: Scenario = {
  name: 'migration-beside-export',
  title: `a migration while an export is open for ${exportMs / 1000} seconds`,
  rounds: 1,
  run: (options) =>
    runUnderLoad(options, { clients: 2 }, async (load) => {
      const [recovery, violations]: [number[], string[]] = [[], []]
      let [answered, slowest] = [0, 0]
      const before = await measureBefore(load)
      for (let round = 0; round < options.rounds; round++) {
        await waitForChanges(load.history, 20)
        const { ms, said, reads } = await migrateBesideExport(load, round)
        recovery.push(ms)
        slowest = Math.max(slowest, ...reads.map((each) => each.slowest))
        answered += reads.reduce((sum, each) => sum + each.answered, 0)
        violations.push(...reads.flatMap(({ failed }) => failed))
        if (said.length === 0) violations.push('nothing was said of the wait')
      }
      // A busy machine is slow without a migration too.
      if (slowest > Math.max(mostMs, before + mostMs))
        violations.push(`the slowest read took ${Math.round(slowest)} ms, and ${Math.round(before)} ms before`)
      return {
        recovery,
        violations,
        figures: {
          'reads answered': String(answered),
          'slowest read': `${Math.round(slowest)} ms`,
          'slowest read without a migration': `${Math.round(before)} ms`,
        },
      }
    }),
}
