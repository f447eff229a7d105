import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { CommandError } from '#server/lib/command-error.ts'
import {
  checkpointsFile,
  isDocumentFile,
  Manifest,
  manifestFile,
  manifestVersion,
  tableFile,
  type TableManifest,
} from './manifest.ts'
import { encryptedEnding, measure, measureStored, readPart } from './parts.ts'
import { formatSum, readSums, type Sum } from './sums.ts'

/** More faults are counted, and not listed. */
const mostFaults = 20

export interface OpenBackup {
  store: ObjectStore
  identities: readonly string[]
  isEncrypted: boolean
}

export interface VerifiedBackup {
  manifest: Manifest
  rows: number
  isEncrypted: boolean
}

interface VerifyProgress {
  files: number
  bytes: number
}

export interface VerifyOptions {
  store: ObjectStore
  /** Keys of which one opens the backup. Needed where it is encrypted. */
  identities: readonly string[]
  onProgress?: (progress: VerifyProgress) => void
}

class FaultList {
  readonly #texts: string[] = []
  #count = 0

  add(text: string): void {
    this.#count++
    if (this.#texts.length < mostFaults) this.#texts.push(text)
  }

  /** Throws CommandError if there are any. */
  raise(place: string): void {
    if (this.#count === 0) return
    const more = this.#count - this.#texts.length
    throw new CommandError(
      [
        `The back-up in ${place} is damaged:`,
        ...this.#texts.map((text) => `  ${text}`),
        ...(more > 0 ? [`  and ${more.toLocaleString('en')} more`] : []),
      ].join('\n'),
    )
  }
}

/** Whether the backup is encrypted, by the name of its manifest. */
export async function openBackup({ store, identities }: VerifyOptions): Promise<OpenBackup> {
  return { store, identities, isEncrypted: await store.has(`${manifestFile}${encryptedEnding}`) }
}

export const partOf = ({ store, identities, isEncrypted }: OpenBackup, path: string) => ({
  store,
  identities,
  path: isEncrypted ? `${path}${encryptedEnding}` : path,
})

/**
 * Reads a backup whole: each part as it is stored, and what the rows of each table say. Needs no database. Throws
 * CommandError with everything that is wrong.
 */
export async function verifyBackup(options: VerifyOptions): Promise<VerifiedBackup> {
  const backup = await openBackup(options)
  const faults = new FaultList()
  const listed = await verifyStored(options, faults)
  // What is wrong with the files as they are stored is the reason of whatever else is wrong.
  faults.raise(options.store.place)
  const manifest = await readManifest(backup)
  verifyList(backup, manifest, listed, faults)
  faults.raise(options.store.place)
  for (const table of manifest.tables) await verifyTable(backup, table, faults)
  faults.raise(options.store.place)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  return { manifest, rows, isEncrypted: backup.isEncrypted }
}

interface ListedParts {
  /** All but the documents. */
  parts: Set<string>
  documents: { files: number; sha256: string }
}

async function verifyStored({ store, onProgress }: VerifyOptions, faults: FaultList): Promise<ListedParts> {
  const parts = new Set<string>()
  const lines = createHash('sha256')
  const progress: VerifyProgress = { files: 0, bytes: 0 }
  let files = 0
  for await (const sum of readSums(store)) {
    if (isDocumentFile(sum.path)) {
      files++
      lines.update(formatSum(sum.sha256, sum.path))
    } else parts.add(sum.path)
    progress.bytes += await verifySum(store, sum, faults)
    progress.files++
    onProgress?.(progress)
  }
  return { parts, documents: { files, sha256: lines.digest('hex') } }
}

/** Returns the bytes of the part. */
async function verifySum(store: ObjectStore, { sha256, path }: Sum, faults: FaultList): Promise<number> {
  const found = await measureStored(store, path)
  if (!found) faults.add(`${path} is missing`)
  else if (found.sha256 !== sha256) faults.add(`${path} is not what was written: its digest is another one`)
  return found?.bytes ?? 0
}

/** Throws CommandError where the manifest cannot be read, also for want of a key. */
export async function readManifest(backup: OpenBackup): Promise<Manifest> {
  const { store, identities, isEncrypted } = backup
  if (isEncrypted && identities.length === 0)
    throw new CommandError(`The back-up in ${store.place} is encrypted: name the file of its key with --key <file>`)
  const content = await text(Readable.from(readPart(partOf(backup, manifestFile))))
  const parsed = parseJson(content)
  const version = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined
  if (typeof version === 'number' && version > manifestVersion)
    throw new CommandError(`The back-up in ${store.place} was made by a later version of the console: use that version`)
  const { data } = Manifest.safeParse(parsed)
  if (!data) throw new CommandError(`The ${manifestFile} of the back-up in ${store.place} is damaged`)
  return data
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

/** Compares what SHA256SUMS lists with what the manifest says there is. */
function verifyList(backup: OpenBackup, manifest: Manifest, listed: ListedParts, faults: FaultList): void {
  const ending = backup.isEncrypted ? encryptedEnding : ''
  const expected = [
    manifestFile,
    ...(manifest.hasCheckpoints ? [checkpointsFile] : []),
    ...manifest.tables.map(({ name }) => tableFile(name)),
  ].map((path) => `${path}${ending}`)
  for (const path of expected) if (!listed.parts.has(path)) faults.add(`${path} is not listed`)
  for (const path of listed.parts) if (!expected.includes(path)) faults.add(`${path} is not a part of this back-up`)
  const { files, sha256 } = manifest.documents
  if (listed.documents.files !== files)
    faults.add(`documents: ${listed.documents.files} are listed, and ${files} were written`)
  else if (listed.documents.sha256 !== sha256) faults.add('documents: the list of their digests is another one')
}

async function verifyTable(backup: OpenBackup, table: TableManifest, faults: FaultList): Promise<void> {
  const part = partOf(backup, tableFile(table.name))
  try {
    const { lines, bytes, sha256 } = await measure(readPart(part))
    if (lines !== table.rows)
      faults.add(
        `${part.path} has ${lines.toLocaleString('en')} rows, and ${table.rows.toLocaleString('en')} were written`,
      )
    else if (bytes !== table.bytes || sha256 !== table.sha256)
      faults.add(`${part.path} holds other rows than were written`)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    faults.add(error.message)
  }
}
