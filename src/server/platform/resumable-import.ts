import { createHash, type Hash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { ImportResult } from '#contract/schemas/platform.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { type Lease, LeaseLostError, takeLease } from '#server/db/lease.ts'
import { importBatches } from '#server/db/tables/platform.ts'
import { AppError } from '#server/lib/errors.ts'
import { createSlots } from '#server/lib/concurrency-limit.ts'
import { sha256 } from '#server/lib/hash.ts'
import { initialState, type ImportState } from './import-state.ts'
import type { Batch } from './read-batches.ts'

/** How long an import can be continued, or its result asked for again. */
const keepFor = sql`interval '30 days'`

// Each holds an import open while its body arrives.
const enterImport = createSlots(4, 'Too many imports in batches at once with this key; try again in a moment')

/** The owner of batch ids. All platform keys share one, so that a key can be replaced while a batch goes on. */
const ownerOf = ({ actor: { kind, name } }: Ctx): string => (kind === 'platform' ? kind : `${kind}:${name}`)

type ImportRow = typeof importBatches.$inferSelect

const isRow = ({ actor, key }: Pick<ImportRow, 'actor' | 'key'>) =>
  and(eq(importBatches.actor, actor), eq(importBatches.key, key))

/**
 * An import whose progress is stored under the caller's id, in the transactions of its lines. Sent again after a broken
 * connection, it skips the settled lines. Nobody else can continue it until `close`.
 */
export class ResumableImport {
  readonly state: ImportState
  /** Whether it has not ended. A repeated import that has ended only gets its result. */
  readonly isOpen: boolean
  /** Its part of the audit rows. */
  readonly details: Record<string, unknown>
  readonly reading: { skippedLines: number; digest: Hash }
  readonly #row: ImportRow
  readonly #lease: Lease
  readonly close: () => Promise<void>

  constructor(row: ImportRow, lease: Lease, close: () => Promise<void>) {
    this.state = { lastLine: row.settledLines, result: ImportResult.parse(row.result) }
    this.isOpen = row.finishedAt === null
    this.details = { batch: row.key, ...(!this.isOpen && { repeated: true }) }
    this.reading = { skippedLines: row.settledLines, digest: createHash('sha256') }
    this.#row = row
    this.#lease = lease
    this.close = close
  }

  /** Whether the batch was settled before. Throws batch_differs if the lines differ or there are more. */
  checkRepeated({ lastLine, lines, problems, digest }: Batch): boolean {
    const { key, settledLines, settledDigest } = this.#row
    if (lines.length + problems.length === 0 && lastLine <= settledLines) {
      if (lastLine === settledLines && digest!.equals(settledDigest)) return true
      throw new AppError(
        'batch_differs',
        `batch: lines 1 to ${settledLines} of ${key} came before, and were others; give another file an id of its own`,
      )
    }
    if (!this.isOpen && lines.length + problems.length > 0)
      throw new AppError(
        'batch_differs',
        `batch: ${key} ended at line ${settledLines}; give a longer file an id of its own`,
      )
    return false
  }

  /** Stores the progress, in the transaction that writes the lines. Throws import_under_way if it is another server's by now. */
  async save(tx: Tx, before: ImportState, { lastLine, result }: ImportState, { digest }: Batch): Promise<void> {
    await this.#requireLease(tx)
    const { rowCount } = await tx
      .update(importBatches)
      .set({ settledLines: lastLine, settledDigest: digest!, result, updatedAt: sql`now()` })
      .where(and(isRow(this.#row), eq(importBatches.settledLines, before.lastLine)))
    if (rowCount !== 1) throw this.#goneOn()
  }

  async #requireLease(tx: Tx): Promise<void> {
    await this.#lease.check(tx).catch((error: unknown) => {
      throw error instanceof LeaseLostError ? this.#goneOn() : error
    })
  }

  readonly #goneOn = () =>
    new AppError('import_under_way', `batch: ${this.#row.key} has been gone on with from elsewhere`)

  async finish(tx: Tx): Promise<void> {
    if (!this.isOpen) return
    await this.#requireLease(tx)
    await tx
      .update(importBatches)
      .set({ finishedAt: sql`now()`, updatedAt: sql`now()` })
      .where(isRow(this.#row))
  }
}

/** Opens or creates the import of that id. Throws import_under_way while it runs elsewhere, and overloaded. */
export async function openResumableImport(ctx: Ctx, key: string): Promise<ResumableImport> {
  const leave = enterImport(`${ctx.actor.kind}:${ctx.actor.name}`)
  let lease: Lease | null = null
  const close = async () => {
    await lease?.release()
    leave()
  }
  try {
    lease = await takeLease(ctx.database, `import ${ownerOf(ctx)} ${key}`, ctx.config.leaseSeconds)
    if (!lease)
      throw new AppError(
        'import_under_way',
        `batch: ${key} is being imported right now; send it again when that has ended`,
      )
    return new ResumableImport(await openRow(ctx, key), lease, close)
  } catch (error) {
    await close()
    throw error
  }
}

const openRow = (ctx: Ctx, key: string): Promise<ImportRow> =>
  inTransaction(ctx, async (tx) => {
    const actor = ownerOf(ctx)
    await tx.delete(importBatches).where(sql`${importBatches.updatedAt} < now() - ${keepFor}`)
    await tx
      .insert(importBatches)
      .values({ actor, key, settledDigest: sha256(''), result: initialState.result, updatedAt: sql`now()` })
      .onConflictDoNothing()
    const [row] = await tx.select().from(importBatches).where(isRow({ actor, key }))
    return row!
  })
