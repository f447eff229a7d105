import { createReadStream } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import type pg from 'pg'
import * as z from 'zod'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { readConsoleVersion } from '#server/lib/console-version.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { type TarEntry, writeTar } from '#server/lib/tar.ts'
import { unfinishedMark } from './manifest.ts'
import { type WriteOptions, writePart } from './parts.ts'
import { formatSum, SumsWriter } from './sums.ts'

const segmentForm = /^[0-9A-F]{24}$/
const segmentName = z.string().regex(segmentForm)

/** What a copy of the data folder is. It holds no row, so it is not encrypted. */
const Base = z.object({
  format: z.literal('back-office-base'),
  version: z.literal(1),
  /** From which segment on the log is needed, and from which instant on the database can be had. */
  firstSegment: segmentName,
  usableFrom: z.string(),
  consoleVersion: z.string(),
  postgresVersion: z.string(),
})
export type Base = z.infer<typeof Base>

export const baseFile = 'base.json'
export const labelFile = 'backup_label'
export const dataFile = 'data.tar.zst'

/** What a server makes again at its start, or what holds for the copied one alone. Their folders are kept, empty. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'log',
])
const isLeftOut = (name: string) =>
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label.*|tablespace_map.*|recovery\.signal|standby\.signal)$/.test(
    name,
  )

async function* walk(root: string, below: string): AsyncGenerator<TarEntry> {
  for await (const entry of await opendir(join(root, below))) {
    if (isLeftOut(entry.name)) continue
    const path = below ? `${below}/${entry.name}` : entry.name
    if (entry.isDirectory()) {
      yield { kind: 'folder', path }
      if (!emptied.has(path)) yield* walk(root, path)
      else if (path === 'pg_wal') yield { kind: 'folder', path: 'pg_wal/archive_status' }
    } else {
      // A file that vanishes meanwhile is in the log.
      const found = await stat(join(root, path)).catch(() => null)
      if (found?.isFile()) yield { kind: 'file', path, size: found.size, open: () => openFile(join(root, path)) }
    }
  }
}

async function* openFile(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Passes bytes on, and has `work` done between them. */
async function* workBetween(source: AsyncIterable<Buffer>, work: () => Promise<void>): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    yield chunk
    await work()
  }
}

interface BaseOptions extends Omit<WriteOptions, 'isCompressed'> {
  /** Takes away what the server has archived, which has to be away before the base counts. */
  takeLog: () => Promise<void>
  /** The same, called all the time while the data folder is copied, which takes long. */
  takeLogWhenDue: () => Promise<void>
}

/**
 * Copies the data folder of a running server into an empty place, as the manual's low-level backup does it. `client` is
 * a superuser's.
 */
export async function makeBase(
  client: pg.Client,
  cluster: string,
  { takeLog, takeLogWhenDue, ...options }: BaseOptions,
): Promise<Base> {
  const { store, stop } = options
  await store.put(unfinishedMark, Buffer.from(`Begun at ${new Date().toISOString()}\n`), { signal: stop })
  const sums = new SumsWriter(store, stop)
  const add = async (
    path: string,
    source: AsyncIterable<Buffer>,
    more: Pick<WriteOptions, 'isCompressed'> & Partial<WriteOptions>,
  ) => {
    const { stored, path: written } = await writePart(path, source, { ...options, ...more })
    await sums.add(formatSum(stored.sha256, written))
  }
  try {
    await client.query(`SELECT pg_backup_start('back-office base', true)`)
    await add(dataFile, workBetween(writeTar(walk(cluster, '')), takeLogWhenDue), { isCompressed: true })
    const { rows } = await client.query<{ label: string; usableFrom: string; version: string }>(
      `SELECT labelfile AS label, current_setting('server_version') AS version,
        to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "usableFrom" FROM pg_backup_stop(true)`,
    )
    const { label, usableFrom, version } = rows[0]!
    const firstSegment = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1]
    const base = Base.parse({
      format: 'back-office-base',
      version: 1,
      firstSegment,
      usableFrom,
      consoleVersion: readConsoleVersion(),
      postgresVersion: version,
    })
    await takeLog()
    await add(labelFile, Readable.from([Buffer.from(label)]), { isCompressed: false, recipients: [] })
    await add(baseFile, Readable.from([Buffer.from(`${JSON.stringify(base, null, 2)}\n`)]), {
      isCompressed: false,
      recipients: [],
    })
    await sums.finish()
    await store.delete(unfinishedMark)
    return base
  } finally {
    await sums.abandon()
  }
}

/** Throws CommandError where there is none, or one that this version does not know. */
export async function readBase(store: ObjectStore): Promise<Base> {
  const bytes = await store.get(baseFile)
  if (!bytes) throw new CommandError(`${store.place} has no ${baseFile}`)
  const { data } = Base.safeParse(JSON.parse(await text(Readable.from(bytes))))
  if (!data)
    throw new CommandError(`The ${baseFile} in ${store.place} is damaged, or of a later version of the console`)
  return data
}
