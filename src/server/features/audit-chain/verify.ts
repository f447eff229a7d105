import pg from 'pg'
import { digestField, digestPersonal } from '#server/core/audit.ts'
import type { Services } from '#server/core/context.ts'
import { isSameMac, readSigningKeys, type SigningKey } from '#server/core/signing-keys.ts'
import { readConnectionOptions } from '#server/db/client.ts'
import { connectOnce } from '#server/db/own-server.ts'
import { computeLink, contentSql } from './chain.ts'
import { type Checkpoint, checkpointFiles, readCheckpoints } from './checkpoints.ts'
import { cursorName } from './seal.ts'

const batchSize = 2000

/** Where the log is not what was sealed. `seq` is the first number of the chain that is bad. */
export interface ChainFault {
  seq: string
  auditId: string | null
  kind: 'changed' | 'deleted' | 'missing' | 'cut' | 'unsealed' | 'unknown_key'
}

export interface Verification {
  at: string
  /** How many rows of the chain are right, up to the fault. */
  rows: number
  fault: ChainFault | null
  /** Valid checkpoints that were compared, and lines that carry no signature of ours. */
  checkpoints: { valid: number; invalid: number }
}

interface Options {
  /** Further files with checkpoints, such as a copy of the log. */
  files?: readonly string[]
}

/**
 * Reads the whole audit log and its chain in one snapshot, and compares them with each other and with the checkpoints outside
 * the database. Names the first fault.
 */
export async function verifyAudit(services: Services, { files = [] }: Options = {}): Promise<Verification> {
  const { config, database } = services
  const keys = readSigningKeys(config)
  const { valid, invalid } = readCheckpoints(keys, [...checkpointFiles(config), ...files])
  const client = await connectOnce({
    ...readConnectionOptions(database.pool),
    statement_timeout: 0,
    application_name: 'back-office audit',
  })
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const walked = await walkChain(client, keys, valid)
    const fault = walked.fault ?? findCut(walked.rows, valid) ?? (await findUnsealed(client, walked.rows))
    return { at: new Date().toISOString(), rows: walked.rows, fault, checkpoints: { valid: valid.length, invalid } }
  } finally {
    await client.end()
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

async function walkChain(client: pg.Client, keys: readonly SigningKey[], checkpoints: readonly Checkpoint[]) {
  const expected = new Map(checkpoints.map(({ seq, mac }) => [seq, Buffer.from(mac, 'hex')]))
  const state = { rows: 0, before: undefined as Buffer | undefined }
  for (;;) {
    const { rows } = await client.query<LinkRow>({ name: 'audit_links', text: linksSql, values: [state.rows] })
    for (const row of rows) {
      const kind = judgeLink(row, state, keys, expected)
      if (kind) return { rows: state.rows, fault: { seq: String(state.rows + 1), auditId: row.auditId, kind } }
      state.rows++
      state.before = row.mac
    }
    if (rows.length < batchSize) return { rows: state.rows, fault: null }
  }
}

function judgeLink(
  { seq, mac, keyId, content, digest, personal }: LinkRow,
  { rows, before }: { rows: number; before: Buffer | undefined },
  keys: readonly SigningKey[],
  expected: ReadonlyMap<string, Buffer>,
): ChainFault['kind'] | undefined {
  if (seq !== String(rows + 1)) return 'missing'
  if (content === null) return 'deleted'
  const key = keys.find(({ id }) => id === keyId)
  if (!key) return 'unknown_key'
  const kept = expected.get(seq)
  const isRight = isSameMac(mac, computeLink(key, BigInt(seq), before, content)) && (!kept || isSameMac(kept, mac))
  // Personal details may be gone, and never others than those that were written.
  const isOwn = personal === null || digest === digestPersonal(Buffer.from(personal.salt, 'hex'), personal.details)
  return isRight && isOwn ? undefined : 'changed'
}

/** The chain ends before a checkpoint. */
function findCut(rows: number, checkpoints: readonly Checkpoint[]): ChainFault | null {
  const isCut = checkpoints.some(({ seq }) => BigInt(seq) > BigInt(rows))
  return isCut ? { seq: String(rows + 1), auditId: null, kind: 'cut' } : null
}

/**
 * A row that stands before what is sealed and is not sealed itself was put in between. Until a database that was moved to
 * another server is sealed once, its transactions tell nothing.
 */
async function findUnsealed(client: pg.Client, rows: number): Promise<ChainFault | null> {
  const { rows: found } = await client.query<{ auditId: string; seq: string }>(
    `WITH cursor AS (SELECT (value->>'xid')::xid8 AS xid, (value->>'id')::bigint AS id FROM settings WHERE name = $1)
    SELECT a.id::text AS "auditId", coalesce((SELECT min(seq) FROM audit_chain WHERE audit_id > a.id), $2 + 1)::text AS seq
    FROM audit_log AS a, cursor
    WHERE cursor.xid <= pg_snapshot_xmax(pg_current_snapshot()) AND (a.xid, a.id) <= (cursor.xid, cursor.id)
      AND NOT EXISTS (SELECT FROM audit_chain AS c WHERE c.audit_id = a.id)
    ORDER BY a.id LIMIT 1`,
    [cursorName, rows],
  )
  const [row] = found
  return row ? { ...row, kind: 'unsealed' } : null
}

const faultTexts: Record<ChainFault['kind'], string> = {
  changed: 'the row or its place in the chain was changed',
  deleted: 'the row was deleted',
  missing: 'an entry of the chain is missing',
  cut: 'the end of the chain was cut off: a checkpoint outside the database has more',
  unsealed: 'a row was put in before rows that are sealed',
  unknown_key: 'it was sealed with a key that is not here',
}

/** One sentence for operators. */
export function describeFault({ seq, auditId, kind }: ChainFault): string {
  const row = auditId === null ? '' : ` (row ${auditId} of the audit log)`
  return `The first bad entry is ${seq}${row}: ${faultTexts[kind]}`
}
