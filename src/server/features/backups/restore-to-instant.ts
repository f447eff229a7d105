import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { renewChangeLists } from '#server/db/changes.ts'
import { makePrivateFolder } from '#server/db/embedded/folders.ts'
import { type DatabaseLocation, prepareLocation } from '#server/db/embedded/location.ts'
import { LogEndsError, recoverCluster } from '#server/db/embedded/recover.ts'
import { putCheckpointsAside } from '#server/features/audit-chain/service.ts'
import { endEverySession } from '#server/features/auth/service.ts'
import { listBackups } from './kept-backups.ts'
import { encryptedEnding, measureStored, readPart } from './parts.ts'
import { readSums } from './sums.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { syncFolder } from '#server/lib/write-once.ts'
import { readTar } from '#server/lib/tar.ts'
import { basesOf, logOf } from './archive-log.ts'
import { type Base, dataFile, labelFile, readBase } from './base.ts'
import { listLog } from './log-files.ts'
import { forgetArchive } from './archive-state.ts'

export interface InstantRestore {
  archive: ObjectStore
  identities: readonly string[]
  dataDir: string
  /** In UTC. Undefined: as far as the log goes. */
  at: string | undefined
  say: (line: string) => void
}

interface FoundBase {
  store: ObjectStore
  base: Base
}

/**
 * Makes a data folder as the database was at an instant: the newest copy of before, with the log since. Nothing is
 * there before it is whole. Throws CommandError.
 */
export async function restoreToInstant(options: InstantRestore): Promise<{ base: Base; segments: number }> {
  const { dataDir, say } = options
  const place = prepareLocation(dataDir, say)
  if (existsSync(place.cluster))
    throw new CommandError(`There is a database in ${dataDir}: set DATA_DIR to a new folder`)
  const found = await findBase(options)
  say(`Copying the data folder of ${found.base.usableFrom}…`)
  const work = await mkdtemp(join(place.home, 'restore-'))
  await chmod(work, 0o711)
  try {
    const [data, log] = [join(work, 'data'), join(work, 'wal')]
    makePrivateFolder(data, place.account)
    makePrivateFolder(log, place.account)
    await copyBase(found, data, options)
    const segments = await copyLog(found.base, log, options)
    say(`Playing ${segments.toLocaleString('en')} segments of the log…`)
    await recover(place, data, log, options)
    await rename(data, place.cluster)
    await syncFolder(place.home)
    return { base: found.base, segments }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function findBase({ archive, at }: InstantRestore): Promise<FoundBase> {
  const bases = basesOf(archive)
  const finished = (await listBackups(bases)).filter(({ state }) => state === 'finished').toReversed()
  if (finished.length === 0) throw new CommandError(`${archive.place} holds no copy of a data folder that is finished`)
  let earliest: string | undefined
  for (const { name } of finished) {
    const store = bases.within(name)
    const base = await readBase(store)
    if (at === undefined || Date.parse(base.usableFrom) <= Date.parse(at)) return { store, base }
    earliest = base.usableFrom
  }
  throw new CommandError(`The archive begins later: the earliest instant is ${earliest}`)
}

async function copyBase({ store }: FoundBase, folder: string, { identities }: InstantRestore): Promise<void> {
  let path: string | undefined
  for await (const sum of readSums(store)) {
    const stored = await measureStored(store, sum.path)
    if (stored?.sha256 !== sum.sha256)
      throw new CommandError(`${store.place} is damaged: ${sum.path} is ${stored ? 'not what was written' : 'missing'}`)
    if (sum.path.startsWith(dataFile)) ({ path } = sum)
  }
  if (path === undefined) throw new CommandError(`${store.place} is damaged: it lists no ${dataFile}`)
  if (path.endsWith(encryptedEnding) && identities.length === 0)
    throw new CommandError(`The archive in ${store.place} is encrypted: name the file of its key with --key <file>`)
  for await (const entry of readTar(readPart({ store, path, identities }))) {
    const target = join(folder, entry.path)
    if (!target.startsWith(`${folder}/`))
      throw new CommandError(`${store.place} is damaged: ${entry.path} leads out of it`)
    if (entry.kind === 'folder') await mkdir(target, { recursive: true, mode: 0o700 })
    else await writeContent(target, entry.content)
  }
  const label = await store.read(labelFile)
  if (!label) throw new CommandError(`${store.place} is damaged: ${labelFile} is missing`)
  await writeFile(join(folder, labelFile), label, { mode: 0o600, flush: true })
}

async function writeContent(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of content) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Returns how many segments there are. */
async function copyLog(
  { firstSegment }: Base,
  folder: string,
  { archive, identities }: InstantRestore,
): Promise<number> {
  const store = logOf(archive)
  const needed = await listLog(store, firstSegment)
  if (!needed.some(({ name }) => name.slice(8) === firstSegment.slice(8)))
    throw new CommandError(`${store.place} lacks the segment ${firstSegment}, with which the log of this copy begins`)
  for (const { name, path } of needed) await writeContent(join(folder, name), readPart({ store, path, identities }))
  return needed.length
}

async function recover(
  place: DatabaseLocation,
  folder: string,
  log: string,
  { at, say }: InstantRestore,
): Promise<void> {
  try {
    await recoverCluster({ place, folder, log, until: at, say })
  } catch (error) {
    if (!(error instanceof LogEndsError)) throw error
    throw new CommandError(
      `The archive has nothing after that instant: its last transaction is of ${error.lastAt ?? 'before the copy'}. ` +
        'Name an earlier instant, or "latest"',
    )
  }
}

/** What has to be said to a database that went back: in one transaction. Returns how many sessions it ended. */
export const settleRestored = (ctx: Ctx, restored: { takenAt: string; consoleVersion?: string }): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    await renewChangeLists((statement) => tx.execute(sql.raw(statement)))
    await forgetArchive(tx)
    // The documents may be in another store now.
    await tx.execute(sql`DELETE FROM settings WHERE name = 'document_store'`)
    const endedSessions = await endEverySession({ ...ctx, tx })
    await audit(tx, ctx, { action: 'restore_backup', details: { ...restored, endedSessions } })
    return endedSessions
  })

/** The same for a database of one's own that its tools have put back. `takenAt` is when the last was done in it. */
export async function settleRestoredByTools(ctx: Ctx): Promise<{ takenAt: string; endedSessions: number }> {
  const { rows } = await ctx.database.pool.query<{ at: Date | null }>('SELECT max(created_at) AS at FROM audit_log')
  const takenAt = rows[0]!.at?.toISOString() ?? 'before its first entry'
  putCheckpointsAside(ctx.config)
  return { takenAt, endedSessions: await settleRestored(ctx, { takenAt }) }
}
