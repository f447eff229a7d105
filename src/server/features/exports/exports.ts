import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { exportPaths, type ExportName } from '#contract/exports.ts'
import type { Ctx } from '#server/core/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { openExportFile } from './export-file.ts'
import type { Sheet } from './sheet.ts'
import { openSnapshot } from './snapshot.ts'
import { omit } from '#server/lib/omit.ts'

const maxExports = 2
/** At a stop files under way have this long to come to their end. */
const finishMs = 3000

/** What no export heeds: it is of all rows. */
interface PageParameters {
  page?: unknown
  limit?: unknown
  total?: unknown
}

/** The exports that one server has under way. Each holds a connection of the pool, so they are few. */
export class Exports {
  /** Those that the database still reads for. */
  readonly #reading = new Set<AbortController>()
  readonly #files = new Set<Readable>()

  /** Throws too_many_requests while no other export may begin. */
  requireCapacity(): void {
    if (this.#reading.size < maxExports) return
    const message = `${maxExports} exports are under way already. Try again when one of them is done.`
    throw new AppError('too_many_requests', message, { retryAfter: 10 })
  }

  /**
   * All rows that the query's filters let through, as a file. What is wrong before its first byte is thrown; later the
   * stream breaks off, so that no part of a file looks whole. `stop` is for when nobody is there to read it any more.
   */
  async start<Query>(
    ctx: Ctx,
    { list, sheet, query }: { list: ExportName; sheet: Sheet<Query>; query: Query },
    stop: AbortController,
  ): Promise<{ fileName: string; content: Readable }> {
    const filters = omit(query as Query & PageParameters, ['page', 'limit', 'total'])
    const rows = sheet.buildList(query)
    this.requireCapacity()
    this.#reading.add(stop)
    const leave = () => void this.#reading.delete(stop)
    try {
      const snapshot = await openSnapshot(ctx.database.pool, stop)
      void snapshot.closed.then(leave)
      const content = await openExportFile(ctx, { list, filters, sheet, rows }, snapshot, stop.signal)
      this.#files.add(content)
      content.once('close', () => this.#files.delete(content))
      const day = new Date().toISOString().slice(0, 10)
      return { fileName: `${exportPaths[list].split('/').at(-1)}-${day}.csv`, content }
    } catch (error) {
      // Whoever stopped it said why; what failed then is only what follows from that.
      stop.abort(error)
      leave()
      throw stop.signal.reason
    }
  }

  /** Lets files under way come to their end for a while, then breaks them off, and waits until that is recorded. */
  async close(): Promise<void> {
    const closed = [...this.#files].map((file) => once(file, 'close').catch(() => {}))
    await Promise.race([Promise.all(closed), pause(finishMs, undefined, { ref: false })])
    for (const stop of this.#reading) stop.abort(new AppError('overloaded', 'The console is restarting; try again'))
    for (const file of this.#files) file.destroy()
    await Promise.all(closed)
  }
}
