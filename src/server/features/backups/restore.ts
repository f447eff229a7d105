import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { sql } from 'drizzle-orm'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { renewChangeLists } from '#server/db/changes.ts'
import { defaultFolder, migrateDatabase } from '#server/db/migrate.ts'
import { type DatabaseSetting, requireUsable } from '#server/db/own-server.ts'
import { beginRestore, endRestoreSql, type RestoreStart } from '#server/db/restore-mark.ts'
import { checkpointFile, putCheckpointsAside, sealAnew } from '#server/features/audit-chain/service.ts'
import { endEverySession } from '#server/features/auth/service.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { sha256 } from '#server/lib/hash.ts'
import { connectForRestore, loadTables, type LoadProgress } from './load.ts'
import { checkpointsFile, isDocumentFile, type Manifest } from './manifest.ts'
import { readPart } from './parts.ts'
import { readSums } from './sums.ts'
import { type OpenBackup, openBackup, partOf, type VerifiedBackup, verifyBackup } from './verify.ts'

/** The account that owns the tables, and the one that the server runs with, if that is another. */
export interface DatabaseOwner {
  connection: pg.ClientConfig
  setting: DatabaseSetting
  grantTo: string | undefined
}

export interface RestoreOptions {
  store: ObjectStore
  identities: readonly string[]
  /** Says what is done now. */
  say: (line: string) => void
  onLoad?: (progress: LoadProgress) => void
}

export interface RestoreOutcome extends VerifiedBackup {
  endedSessions: number
}

/**
 * Restores a backup into an empty database, whole or not at all: until the last transaction no console starts on it,
 * and a restore that is cut off begins again. `ctx` has the owner's rights. Throws CommandError.
 */
export async function restoreBackup(ctx: Ctx, owner: DatabaseOwner, options: RestoreOptions): Promise<RestoreOutcome> {
  const { say } = options
  const backup = await openBackup(options)
  say('Verifying the back-up…')
  const verified = await verifyBackup(options)
  const { manifest } = verified
  requireKnownMigrations(manifest)
  const connect = () => connectForRestore(owner.connection, owner.setting)
  const client = await connect()
  try {
    await requireUsable(client)
    requireStart(await beginRestore(client), ctx, say)
    await migrateTo(owner, manifest.migrations)
    say('Putting the documents back…')
    await putDocuments(ctx, backup)
    say(`Loading ${manifest.tables.length} tables…`)
    await loadTables(client, connect, backup, manifest, options.onLoad)
    await migrateDatabase(owner.connection, { ...owner, isRestoring: true })
    await putCheckpoints(ctx, backup, manifest)
    return { ...verified, endedSessions: await finish(ctx, verified) }
  } finally {
    await client.end()
  }
}

function requireKnownMigrations({ migrations, consoleVersion }: Manifest): void {
  const known = new Set(readdirSync(defaultFolder))
  const unknown = migrations.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new CommandError(
      `The back-up is of another version of the console (${consoleVersion}), with the migration ${unknown}, which is not part of this one: restore it with that version or a later one`,
    )
}

function requireStart(start: RestoreStart, { config }: Ctx, say: (line: string) => void): void {
  if (start === 'under way') throw new CommandError('Another restore into this database is under way')
  if (start === 'not empty')
    throw new CommandError(
      config.databaseUrl === undefined
        ? `A restore needs an empty database, and the one of ${config.dataDir} is in use: set DATA_DIR to a new folder`
        : 'A restore needs an empty database, and the one of DATABASE_URL is in use: create another one and name it',
    )
  if (start === 'begun again') say('A restore into this database was cut off. It begins again.')
}

/** Migrates to the level of the backup. Later migrations find its rows, as in an upgrade. */
async function migrateTo(owner: DatabaseOwner, migrations: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'back-office-restore-'))
  try {
    for (const name of migrations) await cp(join(defaultFolder, name), join(folder, name), { recursive: true })
    await migrateDatabase(owner.connection, { ...owner, migrationsFolder: folder, isRestoring: true })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Files that are there already and the same are left as they are. */
async function putDocuments({ documents: { files } }: Ctx, { store }: OpenBackup): Promise<void> {
  for await (const sum of readSums(store)) {
    if (!isDocumentFile(sum.path)) continue
    const name = basename(sum.path)
    const present = await files.get(name)
    if (present && sha256(present).toString('hex') === sum.sha256) continue
    const bytes = await store.read(sum.path)
    if (!bytes) throw new CommandError(`The back-up in ${store.place} has no ${sum.path} any more`)
    await files.put(name, bytes)
  }
}

async function putCheckpoints({ config }: Ctx, backup: OpenBackup, { hasCheckpoints }: Manifest): Promise<void> {
  putCheckpointsAside(config)
  if (!hasCheckpoints) return
  const file = checkpointFile(config)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const content = await buffer(Readable.from(readPart(partOf(backup, checkpointsFile))))
  await writeFile(file, content, { mode: 0o600, flush: true })
}

/** The last transaction, from which on the database is a console's. Returns how many sessions it ended. */
const finish = (ctx: Ctx, { manifest, rows }: VerifiedBackup): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    await renewChangeLists((statement) => tx.execute(sql.raw(statement)))
    await sealAnew(tx)
    // The documents may be in another store now.
    await tx.execute(sql`DELETE FROM settings WHERE name = 'document_store'`)
    const endedSessions = await endEverySession({ ...ctx, tx })
    await audit(tx, ctx, {
      action: 'restore_backup',
      details: { takenAt: manifest.takenAt, consoleVersion: manifest.consoleVersion, rows, endedSessions },
    })
    await tx.execute(sql.raw(endRestoreSql))
    return endedSessions
  })
