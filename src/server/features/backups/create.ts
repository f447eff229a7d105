import { existsSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { tryAdvisoryLock } from '#server/db/advisory-lock.ts'
import { listCheckpointFiles } from '#server/features/audit-chain/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { readConsoleVersion } from '#server/lib/console-version.ts'
import { backUpDocuments, keepNamedFiles } from './back-up-documents.ts'
import {
  checkpointsFile,
  type Manifest,
  manifestFile,
  manifestVersion,
  sumsFile,
  tableFile,
  type TableManifest,
  unfinishedMark,
} from './manifest.ts'
import { writePart } from './parts.ts'
import {
  buildCopyTo,
  connectForBackup,
  joinSnapshot,
  openSnapshot,
  readMigrations,
  readSequences,
  readTables,
  type TableColumns,
} from './snapshot.ts'
import { formatSum, SumsWriter } from './sums.ts'
import { runWorkers } from './workers.ts'

/** Tables that are read or written at once, each over a connection of its own. */
export const parallelTables = 4

export interface BackupProgress {
  tables: number
  ofTables: number
  rows: number
  bytes: number
  files: number
}

export interface BackupOptions {
  store: ObjectStore
  /** Whose keys decrypt it. Empty: it is not encrypted. */
  recipients: readonly string[]
  onProgress?: (progress: BackupProgress) => void
  /** Ends the backup early, which then throws. */
  stop?: AbortSignal | undefined
}

export interface BackupOutcome {
  manifest: Manifest
  rows: number
}

/** What a backup works with. */
export interface BackupRun extends BackupOptions {
  sums: SumsWriter
  progress: BackupProgress
  report(change: Partial<BackupProgress>): void
}

/**
 * Copies all tables as they are at one moment, and the documents that they name, into an empty place. Consoles go on
 * meanwhile. Throws CommandError where the place is in use, or where another backup of this database is under way.
 */
export const createBackup = (ctx: Ctx, options: BackupOptions): Promise<BackupOutcome> =>
  withBackupLock(ctx, (client) => backUpInto(ctx, client, options))

/** Runs `work` on a connection that no other backup of this database can have at the same time. Throws CommandError where one has. */
export async function withBackupLock<T>(ctx: Ctx, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectForBackup(ctx)
  try {
    if (!(await tryAdvisoryLock(client, 'backup')))
      throw new CommandError('Another back-up of this database is under way; try again when it is over')
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Backs up over the connection that has the lock. */
export async function backUpInto(ctx: Ctx, client: pg.Client, options: BackupOptions): Promise<BackupOutcome> {
  const { store, stop } = options
  await requireEmpty(store)
  await store.put(unfinishedMark, Buffer.from(`Begun at ${new Date().toISOString()}\n`), { signal: stop })
  const sums = new SumsWriter(store, stop)
  try {
    const manifest = await writeBackup(ctx, client, startRun(options, sums))
    await sums.finish()
    await store.delete(unfinishedMark)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    await recordBackup(ctx, options, manifest, rows)
    return { manifest, rows }
  } finally {
    await sums.abandon()
  }
}

/** The console's own rows of it come later than its snapshot. */
const recordBackup = (ctx: Ctx, { recipients }: BackupOptions, manifest: Manifest, rows: number) =>
  inTransaction(ctx, (tx) =>
    audit(tx, ctx, {
      action: 'make_backup',
      details: {
        takenAt: manifest.takenAt,
        rows,
        documents: manifest.documents.files,
        isEncrypted: recipients.length > 0,
      },
    }),
  )

async function requireEmpty(store: ObjectStore): Promise<void> {
  const found = await Promise.all([sumsFile, unfinishedMark].map((path) => store.has(path)))
  if (found[0]) throw new CommandError(`${store.place} holds a back-up already: name another place`)
  if (found[1])
    throw new CommandError(`${store.place} holds a back-up that was cut off: remove it, or name another place`)
  for await (const _any of store.list()) throw new CommandError(`${store.place} is not empty: name another place`)
}

function startRun(options: BackupOptions, sums: SumsWriter): BackupRun {
  const progress: BackupProgress = { tables: 0, ofTables: 0, rows: 0, bytes: 0, files: 0 }
  return {
    ...options,
    sums,
    progress,
    report(change) {
      Object.assign(progress, change)
      options.onProgress?.(progress)
    },
  }
}

async function writeBackup(ctx: Ctx, client: pg.Client, run: BackupRun): Promise<Manifest> {
  // Before the snapshot, so that no checkpoint is newer than the rows.
  const hasCheckpoints = await writeCheckpoints(ctx, run)
  const snapshot = await openSnapshot(client)
  const tables = await readTables(client)
  const migrations = await readMigrations(client)
  const sequences = await readSequences(client)
  const keys = await readKeyIds(client)
  run.report({ ofTables: tables.length })
  const written = await writeTables(ctx, run, tables, (worker) => joinSnapshot(worker, snapshot))
  await keepNamedFiles(client)
  // Documents take hours where they are many, and an old snapshot keeps the database from cleaning up.
  await client.query('COMMIT')
  const documents = await backUpDocuments(ctx, client, run)
  const manifest: Manifest = {
    format: 'back-office-backup',
    version: manifestVersion,
    takenAt: snapshot.takenAt,
    consoleVersion: readConsoleVersion(),
    postgresVersion: snapshot.postgresVersion,
    migrations,
    tables: written,
    sequences,
    documents,
    keys,
    hasCheckpoints,
  }
  await addPart(run, manifestFile, [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)], { isCompressed: false })
  return manifest
}

async function addPart(
  run: BackupRun,
  path: string,
  source: Readable | Buffer[],
  { isCompressed }: { isCompressed: boolean },
) {
  const stream = Array.isArray(source) ? Readable.from(source) : source
  const part = await writePart(path, stream, { ...run, isCompressed })
  await run.sums.add(formatSum(part.stored.sha256, part.path))
  return part
}

async function writeCheckpoints({ config }: Ctx, run: BackupRun): Promise<boolean> {
  const found = listCheckpointFiles(config).filter((file) => existsSync(file))
  if (found.length === 0) return false
  await addPart(
    run,
    checkpointsFile,
    found.map((file) => readFileSync(file)),
    { isCompressed: false },
  )
  return true
}

const keysSql = `
  SELECT coalesce((SELECT array_agg(key_id ORDER BY first_used_at) FROM audit_keys), '{}') AS audit,
    coalesce((SELECT array_agg(id) FROM settings, jsonb_array_elements_text(value) AS id WHERE name = 'document_keys'), '{}')
      AS documents`

const readKeyIds = async (client: pg.Client): Promise<Manifest['keys']> =>
  (await client.query<Manifest['keys']>(keysSql)).rows[0]!

/** The largest tables first, so that none is left to one worker at the end. */
async function writeTables(
  ctx: Ctx,
  run: BackupRun,
  tables: readonly TableColumns[],
  join: (worker: pg.Client) => Promise<void>,
): Promise<TableManifest[]> {
  const written = new Map<string, TableManifest>()
  const workers: pg.Client[] = []
  try {
    for (let n = 0; n < parallelTables; n++) {
      const worker = await connectForBackup(ctx)
      workers.push(worker)
      await join(worker)
    }
    const largestFirst = tables.toSorted((one, other) => other.estimatedBytes - one.estimatedBytes)
    await runWorkers(workers, largestFirst, async (worker, table) => {
      written.set(table.name, await writeTable(run, worker, table))
    })
  } finally {
    await Promise.all(workers.map((worker) => worker.end()))
  }
  return tables.map(({ name }) => written.get(name)!)
}

async function writeTable(run: BackupRun, client: pg.Client, table: TableColumns): Promise<TableManifest> {
  run.stop?.throwIfAborted()
  const copy = client.query(copyTo(buildCopyTo(table)))
  const { content } = await addPart(run, tableFile(table.name), copy, { isCompressed: true })
  // The stream may end before the database has said how many rows it has sent, so they are counted here.
  const { lines: rows, bytes, sha256 } = content
  const { progress } = run
  run.report({ tables: progress.tables + 1, rows: progress.rows + rows, bytes: progress.bytes + bytes })
  return { name: table.name, columns: table.columns, rows, bytes, sha256 }
}
