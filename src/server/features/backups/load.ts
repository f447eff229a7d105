import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { connectOnce, type DatabaseSetting } from '#server/db/own-server.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { parallelTables } from './create.ts'
import { type Manifest, tableFile, type TableManifest } from './manifest.ts'
import { measure, readPart } from './parts.ts'
import { buildCopyTo, copySettings, readTables } from './snapshot.ts'
import { putBack, setAside } from './table-state.ts'
import { type OpenBackup, partOf } from './verify.ts'
import { runWorkers } from './workers.ts'

const escape = pg.escapeIdentifier

export interface LoadProgress {
  tables: number
  ofTables: number
  rows: number
}

interface Load {
  backup: OpenBackup
  manifest: Manifest
  progress: LoadProgress
  onProgress: ((progress: LoadProgress) => void) | undefined
}

/** A connection of the owner, on which nothing has a limit. What it writes is durable with the last transaction of the restore. */
export async function connectForRestore(owner: pg.ClientConfig, setting: DatabaseSetting): Promise<pg.Client> {
  const client = await connectOnce({ ...owner, keepAlive: true, application_name: 'back-office restore' }, setting)
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  const settings = [
    copySettings,
    ...limits.map((name) => `SET ${name} = 0`),
    'SET synchronous_commit = off',
    `SET maintenance_work_mem = '128MB'`,
  ]
  await client.query(settings.join(';'))
  return client
}

/**
 * Loads all tables of a database at the level of the backup, and reads each one again: it has to say what the backup
 * says. Throws CommandError where it does not.
 */
export async function loadTables(
  client: pg.Client,
  connect: () => Promise<pg.Client>,
  backup: OpenBackup,
  manifest: Manifest,
  onProgress?: (progress: LoadProgress) => void,
): Promise<void> {
  await requireSameTables(client, manifest)
  const aside = await setAside(client)
  const workers: pg.Client[] = []
  const load: Load = {
    backup,
    manifest,
    progress: { tables: 0, ofTables: manifest.tables.length, rows: 0 },
    onProgress,
  }
  try {
    for (let n = 0; n < parallelTables; n++) workers.push(await connect())
    const largestFirst = manifest.tables.toSorted((one, other) => other.bytes - one.bytes)
    await runWorkers(workers, largestFirst, (worker, table) => loadTable(worker, table, load))
    await runWorkers(workers, aside.indexes, async (worker, { create }) => {
      await worker.query(create)
    })
  } finally {
    await Promise.all(workers.map((worker) => worker.end()))
  }
  await putBack(client, aside)
  for (const { name, lastValue, isCalled } of manifest.sequences)
    await client.query('SELECT setval($1, $2, $3)', [`public.${escape(name)}`, lastValue, isCalled])
  for (const { name } of manifest.tables) await client.query(`ANALYZE public.${escape(name)}`)
}

async function requireSameTables(client: pg.Client, { tables }: Manifest): Promise<void> {
  const present = new Map((await readTables(client)).map(({ name, columns }) => [name, columns.toSorted().join()]))
  for (const { name, columns } of tables)
    if (present.get(name) !== columns.toSorted().join())
      throw new CommandError(`The back-up has the table "${name}", which is not as in this version of the console`)
  const missing = [...present.keys()].find((name) => !tables.some((table) => table.name === name))
  if (missing !== undefined) throw new CommandError(`The back-up lacks the table "${missing}"`)
}

async function loadTable(client: pg.Client, table: TableManifest, { backup, progress, onProgress }: Load) {
  const name = `public.${escape(table.name)}`
  const columns = table.columns.map(escape).join(', ')
  await client.query('BEGIN')
  // A table that is emptied in the same transaction is written frozen, so that no vacuum writes it once more.
  await client.query(`TRUNCATE ${name}`)
  const source = readPart(partOf(backup, tableFile(table.name)))
  await pipeline(source, client.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN WITH (FREEZE)`)))
  const { lines, sha256 } = await measure(client.query(copyTo(buildCopyTo(table))))
  if (lines !== table.rows || sha256 !== table.sha256)
    throw new CommandError(`The table "${table.name}" does not say what the back-up says, once it is restored`)
  await client.query('COMMIT')
  progress.tables++
  progress.rows += lines
  onProgress?.(progress)
}
