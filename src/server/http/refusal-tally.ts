import type { Severity } from '#contract/security.ts'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import type { Services } from '#server/core/context.ts'

const windowMs = 60_000
/** Events of single sources per window and kind: a loud kind takes no place from a rare one. */
const maxEvents = 30
/** Sources that are told apart per window. Further ones are counted as one. */
const maxSources = 10_000
const shownSources = 5

/** A kind of refusal, and the number per source and window that raises an event. */
export interface RefusalKind {
  type: string
  severity: Severity
  /** The event of one source, and the summary of all at the end of the window. */
  description: string
  summary: (refused: number) => string
  threshold: number
}

/** Who is refused: the name to count by, and details of its event. */
export interface RefusalSource {
  name: string
  ipAddress: string | null
  description?: string
  details?: Record<string, unknown>
}

interface Tally {
  bySource: Map<string, number>
  total: number
  events: number
}

/**
 * Counts refusals that anybody can cause at will. Counts in the memory of one server, so that a flood costs no transaction. A
 * source is one security event per minute. At the end of the minute one more event per kind has the exact number of all, if that is
 * more than the events tell: also where many sources stayed below the threshold together.
 */
export class RefusalTally {
  readonly #services: Services
  readonly #kinds = new Map<RefusalKind, Tally>()
  /** Written one after the other, so that the summary follows its events. */
  #writing = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(services: Services) {
    this.#services = services
  }

  /** Counts a refusal. Returns how many of this kind there were in the window, from all sources. */
  count(kind: RefusalKind, source: RefusalSource): number {
    const { startBatchTimer = setTimeout } = this.#services
    this.#timer ??= startBatchTimer(() => this.#endWindow(), windowMs).unref()
    const tally = this.#kinds.get(kind) ?? { bySource: new Map<string, number>(), total: 0, events: 0 }
    this.#kinds.set(kind, tally)
    const { bySource } = tally
    const name = bySource.has(source.name) || bySource.size < maxSources ? source.name : ''
    const refused = (bySource.get(name) ?? 0) + 1
    bySource.set(name, refused)
    tally.total++
    if (refused === kind.threshold && tally.events < maxEvents) {
      tally.events++
      this.#raise(kind, source.description ?? kind.description, source.ipAddress, source.details ?? {})
    }
    return tally.total
  }

  /** Writes the counts and waits for it. */
  async close(): Promise<void> {
    this.#endWindow()
    await this.#writing
  }

  #endWindow(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const [kind, { bySource, total, events }] of this.#kinds) {
      if (total < kind.threshold || total === events * kind.threshold) continue
      const most = [...bySource].toSorted(([, one], [, other]) => other - one).slice(0, shownSources)
      const details = { refused: total, sources: bySource.size, most: Object.fromEntries(most) }
      this.#raise(kind, kind.summary(total), null, details)
    }
    this.#kinds.clear()
  }

  #raise(kind: RefusalKind, description: string, ipAddress: string | null, details: Record<string, unknown>): void {
    const { database, log } = this.#services
    const event = { type: kind.type, severity: kind.severity, description, details }
    this.#writing = this.#writing
      .then(() => database.transaction((tx) => raiseSecurityEvent(tx, { ipAddress }, event)))
      .catch((error: unknown) => log.warn({ err: error }, 'a security event could not be written'))
  }
}
