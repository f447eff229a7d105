import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { type WriteOptions, writePart } from './parts.ts'

/** A segment of the log, or the history of a timeline. */
const fileForm = /^(?:[0-9A-F]{24}(?:\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)$/
const segmentForm = /^[0-9A-F]{24}$/
/** Segments are in the order of the log by this part of their names, whatever their timeline. */
const placeOf = (segment: string) => segment.slice(8, 24)

/** Takes away what the server has archived, oldest first: each is durable in the store before it leaves the disk. */
export async function takeLog(spool: string, options: Omit<WriteOptions, 'isCompressed'>): Promise<void> {
  for (const name of (await readdir(spool)).toSorted()) {
    if (!fileForm.test(name)) continue
    options.stop?.throwIfAborted()
    await writePart(`${name}.zst`, createReadStream(join(spool, name)), { ...options, isCompressed: true })
    await rm(join(spool, name))
  }
}

export interface StoredLog {
  /** As the server names it. */
  name: string
  path: string
}

/** What is needed of the log from a segment on, with the histories of all timelines. */
export async function listLog(store: ObjectStore, firstSegment: string): Promise<StoredLog[]> {
  const found: StoredLog[] = []
  for await (const { path } of store.list()) {
    const name = path.replace(/\.zst(\.age)?$/, '')
    if (!fileForm.test(name)) continue
    if (!segmentForm.test(name) ? name.endsWith('.history') : placeOf(name) >= placeOf(firstSegment))
      found.push({ name, path })
  }
  return found.toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Deletes what lies before the oldest base that is kept. */
export async function removeOldLog(store: ObjectStore, firstSegment: string): Promise<void> {
  for await (const { path } of store.list()) {
    const name = path.replace(/\.zst(\.age)?$/, '')
    if (fileForm.test(name) && !name.endsWith('.history') && placeOf(name) < placeOf(firstSegment))
      await store.delete(path)
  }
}
