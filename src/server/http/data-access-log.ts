import { readLimits, type ReadKind } from '#contract/data-access.ts'
import type { Ctx, Services } from '#server/core/context.ts'
import { dataAccess } from '#server/db/tables/data-access.ts'
import { AppError } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/hash.ts'
import { DailyReads, type Reader } from './daily-reads.ts'
import type { RefusalKind, RefusalTally } from './refusal-tally.ts'

const windowMs = readLimits.minutes * 60_000
const flushMs = 1000
/** Rows that wait while the database is away. Later ones are lost, which the log says. */
const maxWaiting = 10_000

/** What a reply holds of members or payers: one that was opened, one that may be opened next, or those of a list. */
export type MemberRead =
  | { kind: ReadKind; opened: string }
  | { kind: ReadKind; ahead: string }
  | { kind: ReadKind; listed: readonly string[] }

/** By this number different members are counted: two of a hundred thousand hardly ever share it. */
const numberMember = (id: string) => sha256(id).readInt32BE()

/** The members of a read. A row of one sent ahead counts none, since nobody may have seen it. */
function describeRead(read: MemberRead) {
  if ('listed' in read) return { form: 'listed', members: read.listed, target: null, rows: read.listed.length } as const
  if ('ahead' in read) return { form: 'ahead', members: [read.ahead], target: read.ahead, rows: 0 } as const
  return { form: 'opened', members: [read.opened], target: read.opened, rows: 1 } as const
}

/** The members that an operator has read, each with the time of the first read. The oldest comes first. */
type SeenMembers = Map<string, number>

const bulkReading: RefusalKind = {
  type: 'bulk_reading',
  severity: 'high',
  description: 'An operator reads the data of very many members',
  summary: (refused) => `${refused.toLocaleString('en')} reads of members were refused in a minute as too many`,
  threshold: 1,
}

/**
 * The trace of what operators read of members (product 6.9), and its limit. Counts in the memory of one server and writes once
 * a second, so that a read waits for no transaction. A member who is read again within the window leaves no further row.
 */
export class DataAccessLog {
  readonly #services: Services
  readonly #refusals: RefusalTally
  readonly #seen = {
    opened: new Map<string, SeenMembers>(),
    ahead: new Map<string, SeenMembers>(),
    listed: new Map<string, SeenMembers>(),
  }
  readonly #daily: DailyReads
  /** Whose rows wait. */
  #readers = new Map<string, Reader>()
  #waiting: (typeof dataAccess.$inferInsert)[] = []
  #writing = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(services: Services, refusals: RefusalTally) {
    this.#services = services
    this.#refusals = refusals
    this.#daily = new DailyReads(services)
  }

  /** Records a read before its reply is sent. Throws too_many_requests for further members beyond the limit. */
  record({ actor, ipAddress }: Ctx, read: MemberRead): void {
    if (actor.kind !== 'admin') return
    const { form, members, target, rows } = describeRead(read)
    const seen = this.#readWindow(form, actor.id)
    const unseen = new Set(members.filter((id) => !seen.has(id)))
    if (unseen.size === 0) return
    const refusal = seen.size >= readLimits[form] ? tooManyMembersError(seen) : this.#daily.findRefusal(actor)
    if (refusal) {
      this.#refusals.count(bulkReading, {
        name: actor.id,
        ipAddress,
        description: `${actor.name} reads more members or payers than an operator may; further ones are refused`,
        details: { kind: read.kind, refusal: refusal.message },
      })
      throw refusal
    }
    const now = performance.now()
    for (const id of unseen) seen.set(id, now)
    this.#readers.set(actor.id, { actor, ipAddress })
    const numbers = [...unseen].map(numberMember)
    this.#enqueue({ adminId: actor.id, sessionId: actor.sessionId, kind: read.kind, target, rows, members: numbers })
  }

  /** Writes what waits, and waits for it. */
  async close(): Promise<void> {
    this.#flush()
    await this.#writing
  }

  #readWindow(form: 'opened' | 'ahead' | 'listed', adminId: string): SeenMembers {
    const seen: SeenMembers = this.#seen[form].get(adminId) ?? new Map<string, number>()
    this.#seen[form].set(adminId, seen)
    const since = performance.now() - windowMs
    for (const [id, at] of seen) {
      if (at > since) break
      seen.delete(id)
    }
    return seen
  }

  #enqueue(row: typeof dataAccess.$inferInsert): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#services.log.warn({ row }, 'a read of members could not be recorded')
      return
    }
    this.#waiting.push(row)
    const { startBatchTimer = setTimeout } = this.#services
    this.#timer ??= startBatchTimer(() => this.#flush(), flushMs).unref()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const rows = this.#waiting
    if (rows.length === 0) return
    this.#waiting = []
    const readers = this.#readers
    this.#readers = new Map()
    const { database, log } = this.#services
    this.#writing = this.#writing
      .then(() => database.transaction((tx) => tx.insert(dataAccess).values(rows)))
      .then(() => {})
      .catch((error: unknown) => {
        log.warn({ err: error, rows: rows.length }, 'reads of members are recorded later')
        for (const row of rows) this.#enqueue(row)
      })
      .then(async () => {
        for (const reader of readers.values()) await this.#daily.count(reader)
      })
      .catch((error: unknown) => log.warn({ err: error }, 'the reads of a day could not be counted'))
  }
}

function tooManyMembersError(seen: SeenMembers): AppError {
  const [oldest = 0] = seen.values()
  const seconds = Math.max(1, Math.ceil((oldest + windowMs - performance.now()) / 1000))
  const count = seen.size.toLocaleString('en')
  return new AppError(
    'too_many_requests',
    `You have read ${count} members or payers within ${readLimits.minutes} minutes. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfter: seconds },
  )
}
