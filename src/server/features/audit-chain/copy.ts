import type pg from 'pg'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import type { Config } from '#server/core/config.ts'
import type { Services } from '#server/core/context.ts'
import { isSameMac, readSigningKeys, type SigningKey } from '#server/core/signing-keys.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { createPauses } from '#server/lib/pauses.ts'
import { type ChainHead, computeLink, contentSql } from './seal.ts'
import { signCheckpoint } from './checkpoints.ts'
import { addEnd, type CopiedEntry, type FileEnd, headOf, readEnds, readEntries, writeEntries } from './copy-files.ts'
import { takeVerificationLock } from './verify-by-clock.ts'
import { connectForVerification } from './verify.ts'

const entriesPerQuery = 2000
/** Some 30 MB. */
const entriesPerFile = 500_000

/** Personal details stay in the database, where an erasure finds them. A row that is gone has no content. */
const entriesSql = `
  SELECT c.seq::text, c.audit_id::text AS "auditId", encode(c.mac, 'hex') AS mac, c.key_id AS "keyId",
    CASE WHEN a.id IS NOT NULL THEN ${contentSql} END AS content
  FROM audit_chain AS c LEFT JOIN audit_log AS a ON a.id = c.audit_id
  WHERE c.seq > $1 AND c.seq <= $2 ORDER BY c.seq LIMIT ${entriesPerQuery}`

export interface AuditCopy {
  /** All entries of the copy. */
  entries: bigint
  /** Those that this run has added. */
  added: bigint
  files: number
}

type Progress = (entries: bigint) => void

interface CopyingOptions {
  store: ObjectStore
  /** Whose keys open the files. None: anybody reads them. */
  recipients?: readonly string[]
  onProgress?: Progress
  /** Ends it early. What is not stored as a whole file is copied by the next one. */
  stop?: AbortSignal
  /** Does nothing while a verification is under way, instead of waiting for it. */
  isUnattended?: boolean
}

/** Whether an entry follows `before` and says what was sealed. Throws CommandError. */
function requireLink(
  keys: readonly SigningKey[],
  before: ChainHead | undefined,
  entry: CopiedEntry,
  where: string,
): void {
  const { seq, keyId, content } = entry
  const key = keys.find(({ id }) => id === keyId)
  if (!key) throw new CommandError(`Entry ${seq} ${where} was sealed with the key ${keyId}, which is not here`)
  const expected = computeLink(key, (before?.seq ?? 0n) + 1n, before?.mac, content)
  if (!isSameMac(expected, headOf(entry).mac)) throw new CommandError(`Entry ${seq} ${where} is not what was sealed`)
}

/**
 * Copies what is sealed and not in the store yet into signed files, which are verified without the database. Each
 * entry is verified as it is read. Undefined where nothing was done. Throws CommandError where an entry is not what was
 * sealed, or the copy is of another log.
 */
export async function copyAudit(
  services: Services,
  { store, isUnattended = false, ...options }: CopyingOptions,
): Promise<AuditCopy | undefined> {
  const keys = readSigningKeys(services.config)
  const client = await connectForVerification(services)
  try {
    // Two copies into one place would write the same file.
    if (!(await takeVerificationLock(client, { waits: !isUnattended }))) return undefined
    const ends = await readEnds(keys, store)
    let head = headOfCopy(ends)
    const first = head?.seq ?? 0n
    await requireSameLog(client, head, store.place)
    // What is sealed meanwhile is left to the next copy, so that this one ends.
    const end = await client.query<{ seq: string }>('SELECT coalesce(max(seq), 0)::text AS seq FROM audit_chain')
    const upTo = end.rows[0]!.seq
    let files = ends.length
    while (!options.stop?.aborted) {
      const copied: ChainHead | undefined = await copyFile(client, keys, { store, ...options, after: head, upTo })
      if (!copied) break
      head = copied
      files++
    }
    return { entries: head?.seq ?? 0n, added: (head?.seq ?? 0n) - first, files }
  } finally {
    await client.end()
  }
}

const headOfCopy = (ends: readonly FileEnd[]): ChainHead | undefined => {
  const last = ends.at(-1)
  return last && { seq: BigInt(last.seq), auditId: last.auditId, mac: Buffer.from(last.mac, 'hex') }
}

async function requireSameLog(client: pg.Client, head: ChainHead | undefined, place: string): Promise<void> {
  if (!head) return
  const { rows } = await client.query<{ mac: Buffer }>('SELECT mac FROM audit_chain WHERE seq = $1', [String(head.seq)])
  if (!rows[0] || !isSameMac(rows[0].mac, head.mac))
    throw new CommandError(`Entry ${head.seq}, the last one in ${place}, is another one in the database`)
}

interface FileOptions extends CopyingOptions {
  after: ChainHead | undefined
  /** The last entry to copy. */
  upTo: string
}

/** Writes the next file. Returns its last entry; undefined where nothing is left. */
async function copyFile(
  client: pg.Client,
  keys: readonly SigningKey[],
  { store, recipients = [], after, upTo, onProgress, stop }: FileOptions,
): Promise<ChainHead | undefined> {
  let head = after
  const from = (after?.seq ?? 0n) + 1n
  const pause = createPauses()
  async function* entries() {
    for (let left = entriesPerFile; left > 0;) {
      stop?.throwIfAborted()
      const { rows } = await client.query<CopiedEntry>({
        name: 'audit_copy',
        text: entriesSql,
        values: [String(head?.seq ?? 0n), upTo],
      })
      for (const entry of rows) {
        await pause()
        if (entry.content === null) throw new CommandError(`Entry ${entry.seq} is not what was sealed: its row is gone`)
        requireLink(keys, head, entry, 'of the database')
        head = headOf(entry)
        yield entry
      }
      if (head) onProgress?.(head.seq)
      if (rows.length < entriesPerQuery) return
      left -= rows.length
    }
  }
  if (from > BigInt(upTo)) return undefined
  const name = `audit-${String(from).padStart(10, '0')}.jsonl.zst`
  const written = await writeEntries(store, name, entries(), recipients)
  if (!head || head === after) throw new CommandError(`Entry ${from} of the database is gone`)
  const checkpoint = signCheckpoint(keys[0]!, head, new Date().toISOString())
  await addEnd(store, { ...checkpoint, ...written, from: String(from) })
  return head
}

/**
 * Reads the files of a copy and verifies each entry, from the first one to the last, with the key alone. Throws
 * CommandError that names what is wrong first.
 */
export async function verifyCopy(
  config: Config,
  { store, identities = [], onProgress }: { store: ObjectStore; identities?: readonly string[]; onProgress?: Progress },
): Promise<AuditCopy> {
  const keys = readSigningKeys(config)
  const ends = await readEnds(keys, store)
  if (ends.length === 0) throw new CommandError(`${store.place} holds no copy of an audit log`)
  let head: ChainHead | undefined
  for (const end of ends) {
    for await (const entry of readEntries(store, end, identities)) {
      requireLink(keys, head, entry, `of ${end.file}`)
      head = { ...headOf(entry), seq: (head?.seq ?? 0n) + 1n }
      if (head.seq % 10_000n === 0n) onProgress?.(head.seq)
    }
    if (String(head?.seq) !== end.seq || head?.mac.toString('hex') !== end.mac)
      throw new CommandError(`${end.file} does not end with entry ${end.seq}`)
  }
  return { entries: head!.seq, added: 0n, files: ends.length }
}
