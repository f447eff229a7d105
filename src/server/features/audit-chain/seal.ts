import { sql, type SQL } from 'drizzle-orm'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { readSigningKeys, type SigningKey, computeMac } from '#server/core/signing-keys.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { tryLockInTransaction } from '#server/db/advisory-lock.ts'
import { settings } from '#server/db/tables/core.ts'
import { instant } from '#server/db/select.ts'
import { keepCheckpoints } from './checkpoints.ts'

/** SQL over an audit row `a`: all that it says, in a form that is the same on every server. */
export const contentSql = `jsonb_build_array(a.id, ${instant('a.created_at')}, a.actor_kind, a.actor_id, a.actor_name,
  a.action, a.target_type, a.target_id, a.details, a.ip_address, a.request_id)::text`

/** The end of the chain. */
export interface ChainHead {
  seq: bigint
  auditId: string
  mac: Buffer
}

/** The MAC of an audit row and of everything before it. */
export const computeLink = (key: SigningKey, seq: bigint, before: Buffer | undefined, content: string): Buffer =>
  computeMac(key, 'audit', [String(seq), before?.toString('hex') ?? null, content])

const batchSize = 1000
export const cursorName = 'audit_seal'
const lockName = 'audit seal'

/** The last sealed row: all rows of transactions before it are sealed, and of its own up to its id. */
interface Cursor {
  xid: string
  id: string
}

interface SealedBatch {
  head: ChainHead | undefined
  isFull: boolean
}

/**
 * Seals the audit rows of all transactions that are over, in their order. Changes wait for nothing here: their rows are sealed
 * afterwards. One server at a time seals; another one's turn seals nothing. Throws if the chain was sealed with an unknown key.
 */
export async function sealAudit(ctx: Ctx, stop: AbortSignal): Promise<void> {
  for (let isFull = true; isFull && !stop.aborted;) {
    const sealed: SealedBatch | undefined = await inTransaction(ctx, (tx) => sealBatch(tx, readSigningKeys(ctx.config)))
    if (!sealed) return
    if (sealed.head) await keepCheckpoints(ctx, sealed.head, sealed.isFull)
    isFull = sealed.isFull
  }
}

async function sealBatch(tx: Tx, keys: readonly SigningKey[]): Promise<SealedBatch | undefined> {
  // The oldest transaction under way. All before it are over, so that none of their rows comes later.
  const { rows } = await tx.execute<{ isFree: boolean; oldest: string; next: string }>(sql`
    SELECT ${tryLockInTransaction(lockName)} AS "isFree",
      pg_snapshot_xmin(now)::text AS oldest, pg_snapshot_xmax(now)::text AS next FROM pg_current_snapshot() AS now`)
  const { isFree, oldest, next } = rows[0]!
  if (!isFree) return undefined
  const head = await readHead(tx)
  requireKnownKey(keys, head?.keyId)
  const cursor = await readCursor(tx)
  // A database that was moved to another server, whose transactions have smaller numbers: what is unsealed is searched once.
  const isMoved = BigInt(cursor.xid) > BigInt(next)
  const found = await readUnsealed(
    tx,
    isMoved ? sql`true` : sql`(a.xid, a.id) > (${cursor.xid}::xid8, ${cursor.id}::bigint) AND a.xid < ${oldest}::xid8`,
  )
  const isFull = found.length === batchSize
  const sealed = await writeLinks(tx, keys[0]!, head, found)
  const last = found.at(-1)
  if (isMoved && !isFull) await saveCursor(tx, { xid: oldest, id: '0' })
  else if (last && !isMoved) await saveCursor(tx, last)
  return { head: sealed, isFull }
}

function requireKnownKey(keys: readonly SigningKey[], keyId: string | undefined): void {
  if (keyId === undefined || keys.some(({ id }) => id === keyId)) return
  throw new Error(`The audit log is sealed with the key ${keyId}, which this server does not have`)
}

interface UnsealedRow extends Cursor {
  content: string
}

async function readUnsealed(tx: Tx, condition: SQL): Promise<UnsealedRow[]> {
  const { rows } = await tx.execute<UnsealedRow & Record<string, unknown>>(sql`
    SELECT a.id::text, a.xid::text, ${sql.raw(contentSql)} AS content FROM audit_log AS a
    WHERE ${condition} AND NOT EXISTS (SELECT FROM audit_chain AS c WHERE c.audit_id = a.id)
    ORDER BY a.xid, a.id LIMIT ${batchSize}`)
  return rows
}

type StoredHead = ChainHead & { keyId: string }

async function readHead(tx: Tx): Promise<StoredHead | undefined> {
  const { rows } = await tx.execute<{ seq: string; auditId: string; mac: Buffer; keyId: string }>(sql`
    SELECT seq::text, audit_id::text AS "auditId", mac, key_id AS "keyId" FROM audit_chain AS c ORDER BY c.seq DESC LIMIT 1`)
  const [row] = rows
  return row && { ...row, seq: BigInt(row.seq) }
}

async function writeLinks(
  tx: Tx,
  key: SigningKey,
  from: ChainHead | undefined,
  rows: readonly UnsealedRow[],
): Promise<ChainHead | undefined> {
  let head = from
  const macs: string[] = []
  for (const { id, content } of rows) {
    const seq = (head?.seq ?? 0n) + 1n
    head = { seq, auditId: id, mac: computeLink(key, seq, head?.mac, content) }
    macs.push(head.mac.toString('hex'))
  }
  if (rows.length === 0) return head
  await tx.execute(sql`
    INSERT INTO audit_chain (seq, audit_id, mac, key_id)
    SELECT ${String(from?.seq ?? 0n)}::bigint + n, audit_id, decode(mac, 'hex'), ${key.id}
    FROM unnest(${textArray(rows.map(({ id }) => id))}::bigint[], ${textArray(macs)}) WITH ORDINALITY AS l(audit_id, mac, n)`)
  return head
}

async function readCursor(tx: Tx): Promise<Cursor> {
  const { rows } = await tx.execute<{ value: Cursor }>(sql`SELECT value FROM settings WHERE name = ${cursorName}`)
  return rows[0]?.value ?? { xid: '0', id: '0' }
}

/**
 * Makes the next turn look for all that is unsealed, as in a database that was moved: where it was restored on another
 * server, the numbers of its transactions tell nothing.
 */
export async function sealAnew(tx: Tx): Promise<void> {
  if ((await readCursor(tx)).xid !== '0') await saveCursor(tx, { xid: '9223372036854775807', id: '0' })
}

async function saveCursor(tx: Tx, { xid, id }: Cursor): Promise<void> {
  const value = { xid, id }
  await tx
    .insert(settings)
    .values({ name: cursorName, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } })
}
