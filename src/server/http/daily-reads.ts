import { sql } from 'drizzle-orm'
import { exportLimitHours, exportLimits, readEventShare, unlimitedReads } from '#contract/data-access.ts'
import { roleLabels } from '#contract/permissions.ts'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import type { Actor, Ctx, Services } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import { AppError } from '#server/lib/errors.ts'

/** An operator who reads, and from where. */
export interface Reader extends Pick<Ctx, 'ipAddress'> {
  actor: Extract<Actor, { kind: 'admin' }>
}

/** The different members of the last 24 hours, and when enough of them are older, by `performance.now()`. */
interface Day {
  members: number
  endsAt: number
}

const format = (count: number) => count.toLocaleString('en')
const since = sql.raw(`(now() - interval '${exportLimitHours} hours')`)

/**
 * How many different members an operator reads in a day, by the rows of all servers. They are counted once a second,
 * with the rows that were written: what an operator reads in that second may pass the limit.
 */
export class DailyReads {
  readonly #services: Services
  readonly #days = new Map<string, Day>()
  /** Until when the event of an operator stands, by `performance.now()`. */
  readonly #reported = new Map<string, number>()

  constructor(services: Services) {
    this.#services = services
  }

  /** The refusal of further members to one who has read as many as the role may export; null below that. */
  findRefusal({ id, role }: Reader['actor']): AppError | null {
    const day = this.#days.get(id)
    const limit = exportLimits[role]
    if (!day || limit === null || day.members < limit) return null
    const seconds = Math.ceil((day.endsAt - performance.now()) / 1000)
    if (seconds <= 0) return null
    const minutes = Math.ceil(seconds / 60)
    const pause =
      minutes > 90 ? `${Math.ceil(minutes / 60)} hours` : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
    return new AppError(
      'too_many_requests',
      `You have read ${format(day.members)} different members or payers within ${exportLimitHours} hours. The role ` +
        `${roleLabels[role]} reads at most ${format(limit)}. Try again in ${pause}, or ask for a role that may read more.`,
      { retryAfter: seconds },
    )
  }

  /** Counts what an operator has read by now. A share of the limit is a security event, once in 24 hours. */
  async count(reader: Reader): Promise<void> {
    const { id, role } = reader.actor
    const limit = exportLimits[role] ?? unlimitedReads
    const isReported = (this.#reported.get(id) ?? 0) > performance.now()
    if (exportLimits[role] === null && isReported) return
    const share = limit * readEventShare
    const { members, seconds } = await this.#countMembers(id, limit, share)
    this.#days.set(id, { members, endsAt: performance.now() + seconds * 1000 })
    if (members >= share && !isReported) await this.#report(reader, members)
  }

  /** Reads of the same member are told apart from others only where all reads together reach the share. Else it answers 0. */
  async #countMembers(adminId: string, limit: number, share: number): Promise<{ members: number; seconds: number }> {
    const { rows } = await this.#services.database.db.execute<{ members: number; seconds: number }>(sql`
      SELECT counted.* FROM (
        SELECT sum(cardinality(members)) AS reads FROM data_access WHERE admin_id = ${adminId} AND at > ${since}) all_reads
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS members, coalesce(extract(epoch FROM
          (array_agg(last ORDER BY last))[greatest(count(*) - ${limit} + 1, 1)] - ${since}), 0)::float8 AS seconds
        FROM (
          SELECT max(at) AS last FROM data_access, unnest(members) AS member
          WHERE admin_id = ${adminId} AND at > ${since} AND all_reads.reads >= ${share} GROUP BY member) each) counted`)
    return rows[0]!
  }

  async #report({ actor: { id: adminId, name }, ipAddress }: Reader, members: number): Promise<void> {
    const by = { adminId, hours: exportLimitHours }
    await this.#services.database.transaction(async (tx) => {
      await lockInTransaction(tx, `daily reads of ${adminId}`)
      const { rows } = await tx.execute<Record<string, never>>(sql`
        SELECT FROM security_events WHERE event_type = 'bulk_reading' AND created_at > ${since}
          AND details @> ${JSON.stringify(by)}::jsonb LIMIT 1`)
      if (rows.length > 0) return
      await raiseSecurityEvent(
        tx,
        { ipAddress },
        {
          type: 'bulk_reading',
          severity: 'high',
          description: `${name} has read ${format(members)} different members or payers within ${exportLimitHours} hours`,
          details: { ...by, members },
        },
      )
    })
    this.#reported.set(adminId, performance.now() + exportLimitHours * 3_600_000)
  }
}
