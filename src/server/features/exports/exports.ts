import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { exportPaths, exportsMembers, type ExportName } from '#contract/exports.ts'
import type { Ctx } from '#server/core/context.ts'
import { countList } from '#server/db/list-rows.ts'
import { reportRefusedExport, requireExportable } from '#server/http/export-limits.ts'
import { AppError } from '#server/lib/errors.ts'
import { openExportFile } from './export-file.ts'
import type { Sheet } from './sheet.ts'
import { openSnapshot } from './snapshot.ts'
import { omit } from '#server/lib/omit.ts'

const maxExports = 2
/** At a stop, exports have this long to finish. */
const finishMs = 3000

/** Parameters that exports ignore, because they contain all rows. */
interface PageParameters {
  page?: unknown
  limit?: unknown
  total?: unknown
}

/** The running exports of one server. Each holds a connection of the pool, so there are few. */
export class Exports {
  /** Exports that still read from the database. */
  readonly #reading = new Set<AbortController>()
  readonly #files = new Set<Readable>()

  /** Throws too_many_requests if no other export may start. */
  requireCapacity(): void {
    if (this.#reading.size < maxExports) return
    const message = `${maxExports} exports are under way already. Try again when one of them is done.`
    throw new AppError('too_many_requests', message, { retryAfter: 10 })
  }

  /** Throws as `start` would: too_many_requests, and export_limit. Begins nothing. */
  async requireStart<Query>(ctx: Ctx, list: ExportName, sheet: Sheet<Query>, query: Query): Promise<void> {
    this.requireCapacity()
    if (!exportsMembers(list)) return
    const rows = await countList(ctx.reads, sheet.buildList(query))
    await requireExportable(ctx.database.db, ctx, rows)
  }

  /**
   * Exports all rows that match the query as a file. Throws before the first byte. Later failures break the stream, so
   * that an incomplete file does not look complete. `stop` aborts when nobody reads it any more.
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
      const snapshot = await openSnapshot((await ctx.database.findReader()).pool, stop)
      void snapshot.closed.then(leave)
      const content = await openExportFile(ctx, { list, filters, sheet, rows }, snapshot, stop.signal)
      this.#files.add(content)
      content.once('close', () => this.#files.delete(content))
      const day = new Date().toISOString().slice(0, 10)
      return { fileName: `${exportPaths[list].split('/').at(-1)}-${day}.csv`, content }
    } catch (error) {
      // The abort reason says why it stopped. Later errors only follow from it.
      stop.abort(error)
      leave()
      await reportRefusedExport(ctx, list, error)
      throw stop.signal.reason
    }
  }

  /** Waits a while for running exports, then aborts them and waits until that is recorded. */
  async close(): Promise<void> {
    const closed = [...this.#files].map((file) => once(file, 'close').catch(() => {}))
    await Promise.race([Promise.all(closed), pause(finishMs, undefined, { ref: false })])
    for (const stop of this.#reading) stop.abort(new AppError('overloaded', 'The console is restarting; try again'))
    for (const file of this.#files) file.destroy()
    await Promise.all(closed)
  }
}
