import pg from 'pg'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { openObjectStore } from '#server/adapters/object-store.ts'
import type { Ctx } from '#server/core/context.ts'
import { takeLease } from '#server/db/lease.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { listBackups, nameBackup, removeOld, removeUnfinished } from './kept-backups.ts'
import { makeBase, readBase } from './base.ts'
import { removeOldLog, takeLog } from './log-files.ts'
import { readArchiveState, reportArchiveFailure, saveBase, saveComplete } from './archive-state.ts'

/** The parts of an archive: copies of the data folder, and the log since. */
export const basesOf = (archive: ObjectStore): ObjectStore => archive.within('base')
export const logOf = (archive: ObjectStore): ObjectStore => archive.within('wal')

/** So long the log waits while a base is copied, as it does between two runs. */
const logPauseMs = 5000

/** Names the database whose log is here, so that no other one writes beside it. */
const ownerFile = 'DATABASE'

async function requireOwn(client: pg.Client, archive: ObjectStore): Promise<void> {
  const { rows } = await client.query<{ id: string; mode: string }>(
    `SELECT system_identifier::text AS id, current_setting('archive_mode') AS mode FROM pg_control_system()`,
  )
  const { id, mode } = rows[0]!
  if (mode === 'off')
    throw new CommandError(
      'The database runs without WAL_ARCHIVE: stop every console and command of this DATA_DIR, then start it',
    )
  const owner = (await archive.read(ownerFile))?.toString('utf8').trim()
  if (owner === undefined) await archive.put(ownerFile, Buffer.from(`${id}\n`))
  else if (owner !== id)
    throw new CommandError(`${archive.place} holds the log of another database: name another place in WAL_ARCHIVE`)
}

/**
 * Keeps the log of the embedded database, and a copy of its data folder whenever the last one is older than
 * BACKUP_EVERY. One server at a time does.
 */
export async function archiveLog(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const { archive: place, recipients, everyHours, keep } = ctx.config.backups
  const { embedded } = ctx
  if (!place || !embedded?.spool) return
  const lease = await takeLease(ctx.database, 'log archive', ctx.config.leaseSeconds)
  if (!lease) return
  const signal = AbortSignal.any([stop, lease.signal])
  const archive = openObjectStore(place)
  const { folder, cluster } = embedded.spool
  let takenAt = 0
  const take = async () => {
    await takeLog(folder, { store: logOf(archive), recipients, stop: signal })
    takenAt = performance.now()
  }
  const client = new pg.Client({ ...embedded.connection, application_name: 'back-office base' })
  try {
    await client.connect()
    await requireOwn(client, archive)
    await take()
    if ((await readArchiveState(ctx.database, everyHours)).isBaseDue) {
      const bases = basesOf(archive)
      await removeUnfinished(bases)
      const { usableFrom } = await makeBase(client, cluster, {
        store: bases.within(nameBackup(new Date())),
        recipients,
        stop: signal,
        takeLog: take,
        async takeLogWhenDue() {
          if (performance.now() - takenAt < logPauseMs) return
          await take()
          await saveComplete(ctx)
        },
      })
      await saveBase(ctx, usableFrom)
      await removeOld(bases, keep)
      const [oldest] = (await listBackups(bases)).filter(({ state }) => state === 'finished')
      if (oldest) await removeOldLog(logOf(archive), (await readBase(bases.within(oldest.name))).firstSegment)
    }
    await saveComplete(ctx)
  } catch (error) {
    if (signal.aborted) return
    await reportArchiveFailure(ctx, error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    await client.end().catch(() => {})
    await lease.release()
  }
}
