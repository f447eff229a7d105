import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { post } from '#server/adapters/outbound-http.ts'
import type { Config } from '#server/core/config.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import { type Ctx, inTransaction, type Services } from '#server/core/context.ts'
import { computeMac, isSameMac, readSigningKeys, type SigningKey } from '#server/core/signing-keys.ts'
import { splitHosts } from '#server/lib/database-url.ts'
import { databaseName } from '#server/db/embedded/cluster.ts'
import type { ChainHead } from './seal.ts'

/** A signed statement that the chain had this end. Kept outside the database, it shows that the end was cut off. */
export const Checkpoint = z.object({
  seq: z.string().regex(/^[1-9]\d{0,18}$/),
  auditId: z.string().regex(/^\d{1,19}$/),
  mac: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.string(),
  keyId: z.string(),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
})
export type Checkpoint = z.infer<typeof Checkpoint>

/** A checkpoint is due after so many rows, or this time after the last one if there are new rows. */
const everyRows = 100n
const everyMs = 60_000
const mostBytes = 10 * 1024 * 1024
const anchorTimeoutMs = 5000

type CheckpointSettings = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Each database has its own, so that a folder which was used with another one raises no false alarm. */
export function checkpointFile({ dataDir, databaseUrl }: CheckpointSettings): string {
  const database = databaseUrl === undefined ? databaseName : new URL(splitHosts(databaseUrl)[0]!).pathname.slice(1)
  return join(dataDir, `audit-checkpoints-${encodeURIComponent(decodeURIComponent(database))}.jsonl`)
}

interface LastCheckpoint {
  seq: bigint
  /** By `performance.now()`: while the clock is set back, checkpoints go on. */
  at: number
  /** Whether AUDIT_ANCHOR_URL has it, or is not set. */
  isAnchored: boolean
}
const lastCheckpoints = new WeakMap<Config, LastCheckpoint>()

/**
 * Writes a checkpoint of `head` if one is due: into the log, the file in DATA_DIR, and to AUDIT_ANCHOR_URL. Where the latter did
 * not take the last one, another is due after a minute without new rows too. So is the first one of a start. `hasMore`: rows are
 * waiting that are sealed next, so that only a minute makes one due. A terminal keeps no log, and shows none.
 */
export async function keepCheckpoints(ctx: Ctx, head: ChainHead, hasMore: boolean): Promise<void> {
  const { config } = ctx
  const [key] = readSigningKeys(config)
  const isAnchored = config.auditAnchorUrl === undefined
  const kept = lastCheckpoints.get(config) ?? { seq: readLastSeq(config), at: -Infinity, isAnchored }
  const hasNews = head.seq > kept.seq || !kept.isAnchored
  const isFar = !hasMore && head.seq - kept.seq >= everyRows
  const isDue = isFar || (hasNews && performance.now() - kept.at >= everyMs)
  if (!isDue) return
  const next: LastCheckpoint = { seq: head.seq, at: performance.now(), isAnchored }
  lastCheckpoints.set(config, next)
  const checkpoint = signCheckpoint(key!, head, new Date().toISOString())
  appendCheckpoint(config, checkpoint)
  // A child has a level of its own, so that LOG_LEVEL hides no checkpoint.
  if (config.logLevel !== 'silent' && ctx.log.level !== 'silent' && !process.stdout.isTTY)
    ctx.log.child({}, { level: 'info' }).info({ checkpoint }, 'audit checkpoint')
  if (config.auditAnchorUrl !== undefined)
    next.isAnchored = await anchorCheckpoint(ctx, config.auditAnchorUrl, checkpoint)
}

export function signCheckpoint(key: SigningKey, head: ChainHead, at: string): Checkpoint {
  const facts = { seq: String(head.seq), auditId: head.auditId, mac: head.mac.toString('hex'), at, keyId: key.id }
  return { ...facts, signature: computeMac(key, 'checkpoint', Object.values(facts)).toString('hex') }
}

/** The file grows by a line a minute at most by time. The one before it is kept too. */
function appendCheckpoint(config: Config, checkpoint: Checkpoint): void {
  const file = checkpointFile(config)
  if (existsSync(file) && statSync(file).size > mostBytes) renameSync(file, `${file}.1`)
  appendFileSync(file, `${JSON.stringify(checkpoint)}\n`, { mode: 0o600, flush: true })
}

/** Posts the checkpoint. Returns whether it was taken; if not, an event says why. */
async function anchorCheckpoint(ctx: Ctx, address: string, checkpoint: Checkpoint): Promise<boolean> {
  const url = new URL(address)
  const { status, failure } = await post({
    url,
    headers: { 'content-type': 'application/json', 'user-agent': 'back-office' },
    body: JSON.stringify(checkpoint),
    timeoutMs: anchorTimeoutMs,
    allowsPrivate: ctx.config.webhookAllowPrivate,
  })
  if (failure === null && status !== null && status < 300) return true
  const { host } = url
  await inTransaction(ctx, (tx) =>
    countSecurityEvent<{ count: number }>(tx, ctx, {
      type: 'audit_anchor_failed',
      severity: 'medium',
      by: { host },
      describe(present) {
        const count = (present?.count ?? 0) + 1
        const why = failure ?? `HTTP ${status}`
        return { description: `${host} did not take a checkpoint of the audit log: ${why}`, details: { count } }
      },
    }),
  )
  return false
}

/** The checkpoints of a file that carry a signature of ours, and the number of those that do not. */
export function readCheckpoints(keys: readonly SigningKey[], files: readonly string[]) {
  const lines = files.flatMap((file) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []))
  const given = lines.filter((line) => line.includes('"seq"')).map(parseCheckpoint)
  const valid = given.filter((each) => each !== undefined && isOurs(keys, each)) as Checkpoint[]
  return { valid, invalid: given.length - valid.length }
}

/** A line of the file, or one of the log, which has the checkpoint inside. */
function parseCheckpoint(line: string): Checkpoint | undefined {
  try {
    const read: unknown = JSON.parse(line)
    const inLog = typeof read === 'object' && read !== null && 'checkpoint' in read ? read.checkpoint : read
    return Checkpoint.safeParse(inLog).data
  } catch {
    return undefined
  }
}

/** Whether one of these keys has signed it. */
export function isOurs(keys: readonly SigningKey[], { signature, seq, auditId, mac, at, keyId }: Checkpoint): boolean {
  const key = keys.find(({ id }) => id === keyId)
  if (!key) return false
  return isSameMac(computeMac(key, 'checkpoint', [seq, auditId, mac, at, keyId]), Buffer.from(signature, 'hex'))
}

/** Checkpoints of after the instant that a database is put back to would say that the log was cut off. */
export function putCheckpointsAside(config: Config): void {
  const present = checkpointFiles(config).filter((file) => existsSync(file))
  if (present.length === 0) return
  const aside = join(config.dataDir, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  for (const file of present) renameSync(file, join(aside, basename(file)))
}

export const checkpointFiles = (config: CheckpointSettings) => [`${checkpointFile(config)}.1`, checkpointFile(config)]

function readLastSeq(config: Services['config']): bigint {
  const { valid } = readCheckpoints(readSigningKeys(config), [checkpointFile(config)])
  return valid.reduce((most, { seq }) => (BigInt(seq) > most ? BigInt(seq) : most), 0n)
}
