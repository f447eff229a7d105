import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { ImportResult } from '#contract/schemas/platform.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import { connectionOf } from '#server/db/client.ts'
import { connectOnce } from '#server/db/own-server.ts'
import { importBatches } from '#server/db/tables/platform.ts'
import { tryAdvisoryLock } from '#server/db/advisory-lock.ts'
import { AppError } from '#server/lib/errors.ts'
import { createGates } from '#server/lib/concurrency-limit.ts'
import { sha256 } from '#server/lib/hash.ts'
import { ownerOf } from './idempotency.ts'
import { atStart, type Batch, type Course, type Settled } from './import-course.ts'

/** How long a batch can be gone on with, or asked for its result again. */
const keptFor = sql`interval '30 days'`

// Each holds a connection beside the pool while its body comes in.
const fourAtATime = createGates(4, 0, 'Too many imports in batches at once with this key; try again in a moment')

type Kept = typeof importBatches.$inferSelect

/**
 * Runs an import whose progress is kept under the caller's id for it, in the same transactions as its lines: sent again
 * after a broken connection, it lets the settled lines pass by and goes on behind them. Throws
 * batch_differs when they are not the lines that came before, and import_under_way.
 */
export const inBatch = (
  ctx: Ctx,
  key: string,
  take: (course: Course) => Promise<ImportResult>,
): Promise<ImportResult> =>
  fourAtATime(`${ctx.actor.kind}:${ctx.actor.name}`, () =>
    whileNobodyElse(ctx, key, async () => {
      const kept = await openBatch(ctx, key)
      return take(kept.finishedAt ? courseOfFinished(kept) : courseOf(kept))
    }),
  )

const rowOf = ({ actor, key }: Pick<Kept, 'actor' | 'key'>) =>
  and(eq(importBatches.actor, actor), eq(importBatches.key, key))

/** On a connection of its own, so that the lock ends with the process and takes nothing from the pool. */
async function whileNobodyElse<T>(ctx: Ctx, key: string, work: () => Promise<T>): Promise<T> {
  const client = await connectOnce({ ...connectionOf(ctx.database.pool), keepAlive: true })
  try {
    if (!(await tryAdvisoryLock(client, `import ${ownerOf(ctx)} ${key}`)))
      throw new AppError(
        'import_under_way',
        `batch: ${key} is being imported right now; send it again when that has ended`,
      )
    return await work()
  } finally {
    await client.end().catch(() => {})
  }
}

const openBatch = (ctx: Ctx, key: string): Promise<Kept> =>
  inTransaction(ctx, async (tx) => {
    const actor = ownerOf(ctx)
    await tx.delete(importBatches).where(sql`${importBatches.updatedAt} < now() - ${keptFor}`)
    await tx
      .insert(importBatches)
      .values({ actor, key, settledDigest: sha256(''), result: atStart.result, updatedAt: sql`now()` })
      .onConflictDoNothing()
    const [kept] = await tx.select().from(importBatches).where(rowOf({ actor, key }))
    return kept!
  })

/** Lets the settled lines pass by; throws batch_differs unless they are those of the first time. */
function readingOf({ key, settledLines, settledDigest }: Kept) {
  const digest = createHash('sha256')
  const check = (line: number) => {
    if (line !== settledLines || !digest.copy().digest().equals(settledDigest))
      throw new AppError(
        'batch_differs',
        `batch: lines 1 to ${settledLines} of ${key} came before, and were others; give another file an id of its own`,
      )
  }
  return { digest, ...(settledLines > 0 && { skip: { lines: settledLines, ended: check } }) }
}

const fromOf = ({ settledLines, result }: Kept): Settled => ({
  lines: settledLines,
  result: ImportResult.parse(result),
})

const courseOf = (kept: Kept): Course => ({
  from: fromOf(kept),
  reading: readingOf(kept),
  settle: async (tx, before, { lines, result }, { digest }) => {
    const { rowCount } = await tx
      .update(importBatches)
      .set({ settledLines: lines, settledDigest: digest!, result, updatedAt: sql`now()` })
      .where(and(rowOf(kept), eq(importBatches.settledLines, before.lines)))
    // Only where the lock was lost with its connection.
    if (rowCount !== 1)
      throw new AppError('import_under_way', `batch: ${kept.key} has been gone on with from elsewhere`)
  },
  finish: async (tx) => {
    await tx
      .update(importBatches)
      .set({ finishedAt: sql`now()`, updatedAt: sql`now()` })
      .where(rowOf(kept))
  },
  details: { batch: kept.key },
  stands: ({ lines }) =>
    lines > 0
      ? `lines 1 to ${lines} stand; send all of it again with the same batch id to go on behind them`
      : 'nothing is settled; send all of it again with the same batch id',
})

/** Answers the stored result, once it is sure that this is the file that it belongs to. */
const courseOfFinished = (kept: Kept): Course => ({
  from: fromOf(kept),
  reading: readingOf(kept),
  accept: ({ lines, problems }: Batch) => {
    if (lines.length + problems.length > 0)
      throw new AppError(
        'batch_differs',
        `batch: ${kept.key} ended at line ${kept.settledLines}; give a longer file an id of its own`,
      )
  },
  details: { batch: kept.key, repeated: true },
})
