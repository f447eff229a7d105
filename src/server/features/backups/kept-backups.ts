import type { ObjectStore } from '#server/adapters/object-store.ts'
import { sumsFile, unfinishedMark } from './manifest.ts'

const nameForm = /^back-office-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/
/** What earlier versions called one that was not finished. */
const partialForm = /^back-office-\d{8}T\d{9}Z\.partial$/

/** The name of a backup by the clock. Names are in the order of time. */
export const nameBackup = (at: Date): string => `back-office-${at.toISOString().replaceAll(/[-:.]/g, '')}`

interface KeptBackup {
  name: string
  begunAt: string
  state: 'finished' | 'unfinished'
}

/** The backups by the clock at the place of BACKUP_TO, the oldest first. Nothing else there is one. */
export async function listBackups(store: ObjectStore): Promise<KeptBackup[]> {
  const found: KeptBackup[] = []
  for (const name of (await store.listFolders()).toSorted()) {
    const parts = nameForm.exec(name)
    if (!parts) continue
    const [, year, month, day, hour, minute, second, ms] = parts
    const begunAt = `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`
    const inside = store.within(name)
    if (await inside.has(sumsFile)) found.push({ name, begunAt, state: 'finished' })
    else if (await inside.has(unfinishedMark)) found.push({ name, begunAt, state: 'unfinished' })
  }
  return found
}

/** What servers that were killed have left. The holder of the lock of backups is the only one that writes here. */
export async function removeUnfinished(store: ObjectStore): Promise<void> {
  for (const name of await store.listFolders())
    if (partialForm.test(name)) await store.within(name).deleteAll(unfinishedMark)
  for (const { name, state } of await listBackups(store))
    if (state === 'unfinished') await store.within(name).deleteAll(unfinishedMark)
}

/** Only finished backups count, and nothing else is touched. */
export async function removeOld(store: ObjectStore, keep: number): Promise<void> {
  const finished = (await listBackups(store)).filter(({ state }) => state === 'finished')
  for (const { name } of finished.slice(0, -keep)) {
    const old = store.within(name)
    // From here on it is an unfinished one, no matter who goes on with its removal.
    await old.put(unfinishedMark, Buffer.from('Being removed\n'))
    await old.delete(sumsFile)
    await old.deleteAll(unfinishedMark)
  }
}
