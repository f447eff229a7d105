import type { Severity } from '#contract/security.ts'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import type { Services } from '#server/core/context.ts'

const windowMs = 60_000
/** Events of single sources in a window, of all kinds together. */
const maxEvents = 30
/** Sources that are told apart in a window; those beyond are counted as one. */
const maxSources = 10_000
const shownSources = 5

/** What is refused, and from which of its refusals in a window on a source is an event. */
export interface RefusalKind {
  type: string
  severity: Severity
  /** Of one source, and of all of them, when the window is over. */
  description: string
  summary: (refused: number) => string
  threshold: number
}

/** Who is refused: what the refusals are counted by, and what its event says beside the kind's own words. */
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
 * Refusals that anybody can cause as often as they like. They are counted in the memory of one server, so that a flood of
 * them costs no transaction: a source is one security event a minute, and what was refused beyond that one more, with
 * the exact number, when the minute is over.
 */
export class RefusalTally {
  readonly #services: Services
  readonly #kinds = new Map<RefusalKind, Tally>()
  /** One after the other, so that the summary stands behind what it sums up. */
  #writing = Promise.resolve()
  #events = 0
  #timer: NodeJS.Timeout | undefined

  constructor(services: Services) {
    this.#services = services
  }

  /** Answers how many of this kind there were in the present window, from wherever. */
  count(kind: RefusalKind, source: RefusalSource): number {
    this.#timer ??= setTimeout(() => this.#endWindow(), windowMs).unref()
    const tally = this.#kinds.get(kind) ?? { bySource: new Map<string, number>(), total: 0, events: 0 }
    this.#kinds.set(kind, tally)
    const { bySource } = tally
    const name = bySource.has(source.name) || bySource.size < maxSources ? source.name : ''
    const refused = (bySource.get(name) ?? 0) + 1
    bySource.set(name, refused)
    tally.total++
    if (refused === kind.threshold && this.#events < maxEvents) {
      this.#events++
      tally.events++
      this.#raise(kind, source.description ?? kind.description, source.ipAddress, source.details ?? {})
    }
    return tally.total
  }

  /** Writes down what was counted, and waits until it stands. */
  async close(): Promise<void> {
    this.#endWindow()
    await this.#writing
  }

  #endWindow(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#events = 0
    for (const [kind, { bySource, total, events }] of this.#kinds) {
      if (events === 0 || total === events * kind.threshold) continue
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
