import pg from 'pg'
import { digestField, digestPersonal } from '#server/core/audit.ts'
import type { Services } from '#server/core/context.ts'
import { isSameMac, readSigningKeys, type SigningKey } from '#server/core/signing-keys.ts'
import { connectOnce } from '#server/db/own-server.ts'
import { createPauses } from '#server/lib/pauses.ts'
import { computeLink, contentSql } from './seal.ts'
import { type Checkpoint, checkpointFiles, readCheckpoints } from './checkpoints.ts'
import { type ChainFault, FaultList, mostFaults, type ShownFault } from './faults.ts'
import { cursorName } from './seal.ts'

const batchSize = 2000

export interface Verification {
  at: string
  /** How many rows of the chain are right, up to the first fault. */
  rows: number
  /** The first fault. */
  fault: ChainFault | null
  /** All of them in the order of the chain, `mostFaults` at most, and how many entries they are. */
  faults: ShownFault[]
  badEntries: number
  /** Valid checkpoints that were compared, and lines that carry no signature of ours. */
  checkpoints: { valid: number; invalid: number }
}

export interface VerifyOptions {
  /** Further files with checkpoints, such as a copy of the log. */
  files?: readonly string[]
  /** Ends the verification early. It then throws the signal's reason. */
  stop?: AbortSignal | undefined
  /** Is called between batches with the entries read so far, and those that there are. */
  onProgress?: (rows: number, of: number) => Promise<void>
}

/** A connection of its own, because the whole log may take longer than a statement of the pool may. Close it. */
export const connectForVerification = ({ database }: Pick<Services, 'database'>): Promise<pg.Client> =>
  connectOnce({
    ...database.session,
    statement_timeout: 0,
    // Another verification may be under way for as long.
    lock_timeout: 0,
    application_name: 'back-office audit',
  })

/**
 * Reads the whole audit log and its chain, and compares them with each other and with the checkpoints outside the
 * database. Names what is bad. Each batch has a snapshot of its own, because one that is held for long keeps the database
 * from cleaning up: what is sealed never changes, and whatever does is a fault.
 */
export async function verifyAudit(services: Services, options: VerifyOptions = {}): Promise<Verification> {
  const client = await connectForVerification(services)
  try {
    return await verifyThrough(client, services, options)
  } finally {
    await client.end()
  }
}

/** The same through a given connection. */
export async function verifyThrough(
  client: pg.Client,
  { config }: Services,
  { files = [], stop, onProgress }: VerifyOptions = {},
): Promise<Verification> {
  const keys = readSigningKeys(config)
  const { valid, invalid } = readCheckpoints(keys, [...checkpointFiles(config), ...files])
  const list = new FaultList()
  const { rows, last } = await readChain(client, { keys, checkpoints: valid, list, stop, onProgress })
  addCut(list, last, valid)
  await addUnsealed(client, list, last, stop)
  const { faults, badEntries } = list
  const [first] = faults
  return {
    at: new Date().toISOString(),
    rows,
    fault: first ? { seq: first.seq, auditId: first.auditId, kind: first.kind } : null,
    faults,
    badEntries,
    checkpoints: { valid: valid.length, invalid },
  }
}

interface LinkRow {
  seq: string
  auditId: string
  mac: Buffer
  keyId: string
  /** Null if the audit row is gone. */
  content: string | null
  /** Of its personal details: the digest that it has, and what is still there of them. */
  digest: string | null
  personal: { details: Record<string, unknown>; salt: string } | null
}

const linksSql = `
  SELECT c.seq::text, c.audit_id::text AS "auditId", c.mac, c.key_id AS "keyId",
    CASE WHEN a.id IS NOT NULL THEN ${contentSql} END AS content, a.details->>'${digestField}' AS digest,
    CASE WHEN p.audit_id IS NOT NULL THEN jsonb_build_object('details', p.details, 'salt', encode(p.salt, 'hex')) END AS personal
  FROM audit_chain AS c LEFT JOIN audit_log AS a ON a.id = c.audit_id LEFT JOIN audit_personal AS p ON p.audit_id = a.id
  WHERE c.seq > $1 ORDER BY c.seq LIMIT ${batchSize}`

/** Before every number that the database can hold. */
const beforeAll = '-9223372036854775808'

interface ChainReading {
  keys: readonly SigningKey[]
  checkpoints: readonly Checkpoint[]
  list: FaultList
  stop: AbortSignal | undefined
  onProgress: VerifyOptions['onProgress']
}

/** Where the reading stands. */
interface ChainPosition {
  /** The last number that was read, from which the next one follows. */
  last: bigint
  /** Its MAC; null where it is missing, so that the next one can't be compared. */
  before: Buffer | undefined | null
}

/** Compares each entry with its row and with the entry before it as it is stored, so that the check goes on after a fault. */
async function readChain(client: pg.Client, { keys, checkpoints, list, stop, onProgress }: ChainReading) {
  const expected = new Map(checkpoints.map(({ seq, mac }) => [seq, Buffer.from(mac, 'hex')]))
  const of = onProgress ? await countEntries(client) : 0
  const place: ChainPosition = { last: 0n, before: undefined }
  const pause = createPauses()
  let [rows, read, from] = [0, 0, beforeAll]
  for (;;) {
    stop?.throwIfAborted()
    const { rows: found } = await client.query<LinkRow>({ name: 'audit_links', text: linksSql, values: [from] })
    for (const row of found) {
      await pause()
      judgeLink(row, place, { keys, expected, list })
      if (list.faults.length === 0) rows++
    }
    from = found.at(-1)?.seq ?? from
    read += found.length
    if (found.length < batchSize) break
    await onProgress?.(read, Math.max(read, of))
  }
  list.end()
  return { rows, last: place.last }
}

async function countEntries(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ entries: number }>('SELECT count(*)::int AS entries FROM audit_chain')
  return rows[0]!.entries
}

interface LinkCheck {
  keys: readonly SigningKey[]
  expected: ReadonlyMap<string, Buffer>
  list: FaultList
}

function judgeLink(row: LinkRow, place: ChainPosition, { keys, expected, list }: LinkCheck): void {
  const { seq, auditId, mac, content } = row
  const number = BigInt(seq)
  const fault = (kind: ChainFault['kind']) => ({ seq, auditId, kind })
  // The first number is 1.
  if (number <= place.last) {
    if (content !== null) list.passRow(auditId)
    return list.addRow(fault('changed'))
  }
  const missing = number - place.last - 1n
  if (missing > 0n) {
    list.addGone({ seq: String(place.last + 1n), auditId, kind: 'missing' }, missing)
    place.before = null
  }
  if (content === null) list.addGone(fault('deleted'))
  else {
    list.passRow(auditId)
    const kind = judgeRow({ ...row, content }, place.before, keys, expected)
    if (kind) list.addRow(fault(kind))
  }
  place.last = number
  place.before = mac
}

function judgeRow(
  { seq, mac, keyId, content, digest, personal }: LinkRow & { content: string },
  before: ChainPosition['before'],
  keys: readonly SigningKey[],
  expected: ReadonlyMap<string, Buffer>,
): ChainFault['kind'] | undefined {
  const key = keys.find(({ id }) => id === keyId)
  if (!key) return 'unknown_key'
  const kept = expected.get(seq)
  // Behind a gap nothing tells what stood before.
  const isLinked = before === null || isSameMac(mac, computeLink(key, BigInt(seq), before, content))
  // Personal details may be gone, and never others than those that were written.
  const isOwn = personal === null || digest === digestPersonal(Buffer.from(personal.salt, 'hex'), personal.details)
  return isLinked && isOwn && (!kept || isSameMac(kept, mac)) ? undefined : 'changed'
}

/** The chain ends before a checkpoint. */
function addCut(list: FaultList, last: bigint, checkpoints: readonly Checkpoint[]): void {
  const most = checkpoints.reduce((highest, { seq }) => (BigInt(seq) > highest ? BigInt(seq) : highest), last)
  if (most === last) return
  list.addGone({ seq: String(last + 1n), auditId: null, kind: 'cut' }, most - last)
  list.end()
}

/**
 * A row that stands before what is sealed and is not sealed itself was put in between. Until a database that was moved
 * to another server is sealed once, its transactions tell nothing.
 */
async function addUnsealed(
  client: pg.Client,
  list: FaultList,
  last: bigint,
  stop: AbortSignal | undefined,
): Promise<void> {
  const ids: string[] = []
  let all = 0
  for await (const unsealed of readUnsealed(client, stop)) {
    all += unsealed.length
    ids.push(...unsealed.slice(0, mostFaults - ids.length))
  }
  if (all === 0) return
  const { rows } = await client.query<{ auditId: string; seq: string }>(
    `SELECT id::text AS "auditId",
      coalesce((SELECT min(seq) FROM audit_chain WHERE audit_id > id), $2::numeric)::text AS seq
    FROM unnest($1::bigint[]) AS id ORDER BY id`,
    [ids, String(last + 1n)],
  )
  const kind = 'unsealed'
  const faults = rows.map((row): ShownFault => ({ ...row, kind, count: 1, shownAt: row.auditId, side: null }))
  list.addFound(faults, BigInt(all))
}

const idsPerSlice = 10_000

/** The ids of rows up to the last sealed one that are not sealed, in their order, a slice of the log at a time. */
async function* readUnsealed(client: pg.Client, stop: AbortSignal | undefined): AsyncGenerator<string[]> {
  const { rows } = await client.query<{ xid: string; id: string }>(
    `SELECT xid, id FROM settings, jsonb_to_record(value) AS cursor(xid text, id text)
    WHERE name = $1 AND xid::xid8 <= pg_snapshot_xmax(pg_current_snapshot())`,
    [cursorName],
  )
  const [cursor] = rows
  if (!cursor) return
  for (let from = beforeAll; ;) {
    stop?.throwIfAborted()
    const slice = await client.query<{ upTo: string | null }>(
      `SELECT max(id)::text AS "upTo"
      FROM (SELECT id FROM audit_log WHERE id > $1 ORDER BY id LIMIT ${idsPerSlice}) AS s`,
      [from],
    )
    const { upTo } = slice.rows[0]!
    if (upTo === null) return
    const found = await client.query<{ id: string }>(
      `SELECT a.id::text FROM audit_log AS a
      WHERE a.id > $1 AND a.id <= $2 AND (a.xid, a.id) <= ($3::xid8, $4::bigint) AND NOT EXISTS (
        SELECT FROM audit_chain AS c WHERE c.audit_id = a.id AND c.audit_id > $1 AND c.audit_id <= $2)
      ORDER BY a.id`,
      [from, upTo, cursor.xid, cursor.id],
    )
    yield found.rows.map(({ id }) => id)
    from = upTo
  }
}
