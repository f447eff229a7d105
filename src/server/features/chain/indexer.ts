import { sql } from 'drizzle-orm'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Block } from './blocks.ts'
import {
  beginAfter,
  type Cursor,
  doneTo,
  forgetChain,
  hasBegun,
  holdCursor,
  noteHalt,
  noteRead,
  Raced,
  readCursor,
} from './cursor.ts'
import { blockAt, observe, type Contradiction } from './observe.ts'
import { RangeSize } from './range-size.ts'
import type { LogReader } from './read-logs.ts'
import { indexerSettings, startBlockOf } from './settings.ts'
import { readAgain, readFinal, readLate, readPending, settleMissing, type Turn } from './walk.ts'
import { Watch } from './watch.ts'
import type { Watched } from './watched.ts'

/** After this long a turn looks at the head again, however much is left to do. */
const turnMs = 2000
/** While nothing happens, it is not written down more often that nothing does. */
const freshMs = 10_000
/** An answer with logs takes longer than a balance. */
const patience = 4
const rereadEvery = sql`interval '24 hours'`
/** Of the last day, and an hour to be sure. */
const rereadSeconds = 25 * 3600
const paceBlocks = 10_000

/** The chain contradicts what was read, which may pass: its nodes may only be behind. */
export class ShorterChain extends Error {}
/** What came late can't be read, though all that is new is; `cause` says why. */
export class HistoryAway extends Error {}
/** The server stops. */
export class Stopped extends Error {}

/** The cursor as a turn found it, and as it has moved it. */
interface Reached {
  known: Cursor
  cursor: Cursor
}

/** Reads transfers of one chain into the database, turn by turn. What it remembers between turns it could do without. */
export class Indexer {
  readonly #reader: LogReader
  readonly #range: RangeSize
  #pending = ''
  readonly #watch = new Watch()
  #rereadFrom: number | undefined
  /** Pending transfers that no node knew, by row, and the head at which that was found. */
  #firstUnknown = new Map<string, string>()

  constructor({ config, chain }: Pick<Ctx, 'config' | 'chain'>) {
    const { timeoutMs, deadlineMs } = config.chain
    const { maxRange, topicChunk } = config.indexer
    this.#range = new RangeSize(maxRange)
    this.#reader = {
      nodes: chain.logNodes,
      topicChunk,
      timeoutMs: patience * timeoutMs,
      deadlineMs: patience * deadlineMs,
    }
  }

  /** Before the first turn after others may have read: what is remembered of the database may be no more. */
  lookAgain(): void {
    this.#pending = ''
    this.#rereadFrom = undefined
    this.#watch.lookAgain()
  }

  /**
   * Reads what is new, then what came late; answers whether there is more to do at once. Throws AppError when no node
   * answers, HistoryAway when none does for what came late, ShorterChain, Raced when another indexer was quicker, Stopped.
   */
  async turn(ctx: Ctx, stop: AbortSignal): Promise<boolean> {
    const turn: Turn = { ctx, reader: this.#reader, range: this.#range, unlessStopped: (work) => raceStop(work, stop) }
    const { nodes } = this.#reader
    const endsAt = performance.now() + turnMs
    const isLate = () => stop.aborted || performance.now() > endsAt

    const known = await readCursor(ctx)
    const seen = await turn.unlessStopped(observe(nodes, hasBegun(known) ? known : undefined, indexerSettings(ctx)))
    if (seen.contradiction) return this.#face(ctx, seen)
    if (!hasBegun(known)) {
      await this.#begin(turn, seen)
      return true
    }
    const { watched, isNew } = await this.#watch.refresh(ctx, known)
    if (isNew) this.#pending = ''
    let cursor = known
    while (cursor.doneBlock < seen.final && !isLate())
      cursor = { ...cursor, ...doneTo(await readFinal(turn, cursor, watched, seen.final)) }
    if (cursor.doneBlock < seen.final) {
      await this.#noteHead(ctx, { known, cursor }, seen.head)
      return true
    }
    await this.#readToHead(turn, { known, cursor }, watched, seen.head)
    // This comes first: the late ranges below may never end, or be ones that no node holds any more.
    await this.#reread(turn, cursor, watched, isLate)
    // When these are done others may be waiting.
    const hadLate = watched.late !== undefined
    try {
      while (watched.late && !isLate()) watched.late = await readLate(turn, cursor, watched)
    } catch (error) {
      if (error instanceof Raced || error instanceof Stopped) throw error
      throw new HistoryAway('what came late cannot be read', { cause: error })
    }
    return hadLate || this.#rereadFrom !== undefined
  }

  /** The console's own chain may be made anew; any other is not believed, and nothing is deleted. */
  async #face(ctx: Ctx, { contradiction, problem }: Contradiction): Promise<boolean> {
    if (ctx.chain.mode === 'embedded') {
      await forgetChain(ctx)
      return true
    }
    if (contradiction === 'shorter') throw new ShorterChain(problem.text)
    await noteHalt(ctx, problem)
    return false
  }

  async #begin({ ctx, unlessStopped }: Turn, { final }: { final: number }): Promise<void> {
    const { nodes } = this.#reader
    const startBlock = startBlockOf(ctx.config) ?? (ctx.chain.mode === 'embedded' ? 1 : final + 1)
    const doneBlock = startBlock - 1
    if (doneBlock > final)
      throw new AppError(
        'chain_bad_response',
        `INDEXER_START_BLOCK is ${startBlock}, but only blocks up to ${final} are final yet`,
      )
    const done = await unlessStopped(blockAt(nodes, doneBlock))
    // Nodes that keep recent blocks alone don't have it.
    const genesis = await unlessStopped(blockAt(nodes, 0)).catch((error: unknown) => {
      if (error instanceof AppError) return undefined
      throw error
    })
    await beginAfter(ctx, done, startBlock, genesis?.hash ?? 'unknown')
  }

  async #noteHead(ctx: Ctx, { known, cursor }: Reached, head: Block): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      await holdCursor(tx, ctx.chain.chainId)
      await noteRead(tx, ctx, known, { head, doneBlock: cursor.doneBlock })
    })
  }

  /** While neither the head nor what is read of it changes, nothing there does. */
  async #readToHead(turn: Turn, reached: Reached, watched: Watched, head: Block): Promise<void> {
    const what = `${head.hash} ${reached.cursor.doneBlock}`
    if (what === this.#pending) {
      const { failingSince, checkedAt } = reached.known
      const isFresh = failingSince === null && Date.now() - Date.parse(checkedAt ?? '') < freshMs
      return isFresh ? undefined : this.#noteHead(turn.ctx, reached, head)
    }
    const missing = await readPending(turn, reached, watched, head)
    this.#firstUnknown = await settleMissing(turn, reached.cursor, head, missing, this.#firstUnknown)
    this.#pending = what
  }

  async #reread(turn: Turn, cursor: Cursor, watched: Watched, isLate: () => boolean): Promise<void> {
    this.#rereadFrom ??= await this.#whenDue(turn, cursor)
    while (this.#rereadFrom !== undefined && !isLate()) {
      const next = await readAgain(turn, cursor, watched, this.#rereadFrom)
      this.#rereadFrom = next > cursor.doneBlock ? undefined : next
    }
  }

  /** The first block to read again, once a day. */
  async #whenDue({ ctx, unlessStopped }: Turn, cursor: Cursor): Promise<number | undefined> {
    const { rows } = await ctx.database.db.execute<{ isDue: boolean }>(sql`
      SELECT reread_at < now() - ${rereadEvery} AS "isDue" FROM chain_cursors WHERE chain_id = ${ctx.chain.chainId}`)
    const first = Math.max(1, cursor.startBlock)
    if (!rows[0]?.isDue || first > cursor.doneBlock || cursor.doneAt === null) return undefined
    const earlier = await unlessStopped(blockAt(this.#reader.nodes, Math.max(0, cursor.doneBlock - paceBlocks)))
    const seconds = Date.parse(cursor.doneAt) / 1000 - earlier.at
    const pace = seconds > 0 ? (cursor.doneBlock - earlier.number) / seconds : Infinity
    return Math.max(first, cursor.doneBlock - Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(pace * rereadSeconds)))
  }
}

/** A call to a node may take longer than a stop waits. */
async function raceStop<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  if (stop.aborted) throw new Stopped()
  let onStop: (() => void) | undefined
  const stopped = new Promise<never>((_, reject) => {
    onStop = () => reject(new Stopped())
    stop.addEventListener('abort', onStop, { once: true })
  })
  // What is given up may still fail, unheard.
  work.catch(() => {})
  try {
    return await Promise.race([work, stopped])
  } finally {
    if (onStop) stop.removeEventListener('abort', onStop)
  }
}
