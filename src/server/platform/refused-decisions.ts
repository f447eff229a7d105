import type { Ctx } from '#server/core/context.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Outcome } from '#server/core/upsert.ts'

/** The refused decisions of one sender within a minute. */
interface RefusalCount {
  imports: number
  count: number
  /** Of the first of those imports. */
  firstLine: number
}

/**
 * Reports lines with a decision on something that waits here, in the transaction of their batch. One security event per sender
 * and minute counts them, so that neither a whole file nor many short imports flood the log. Returns the event, to which
 * later batches of the same import add.
 */
export async function reportRefusedDecisions(
  tx: Tx,
  ctx: Ctx,
  eventOfImport: string | undefined,
  outcomes: ReadonlyMap<number, Outcome>,
): Promise<string | undefined> {
  const lines = [...outcomes].flatMap(([line, outcome]) =>
    outcome instanceof AppError && outcome.code === 'decision_waits_here' ? [line] : [],
  )
  if (lines.length === 0 || ctx.isDryRun) return eventOfImport
  return countSecurityEvent<RefusalCount>(tx, ctx, {
    type: 'import_decision_refused',
    severity: 'high',
    by: { actor: ctx.actor.name },
    of: eventOfImport,
    describe(present, id) {
      const isAdded = id !== undefined && id === eventOfImport
      const refused = {
        imports: (present?.imports ?? 0) + (isAdded ? 0 : 1),
        count: (present?.count ?? 0) + lines.length,
        firstLine: present?.firstLine ?? Math.min(...lines),
      }
      return { description: describeRefusals(ctx, refused), details: refused }
    },
  })
}

function describeRefusals({ actor }: Ctx, { imports, count }: RefusalCount): string {
  const who = actor.kind === 'platform' ? `the key ${actor.name}` : actor.name
  const from = imports === 1 ? `An import of ${who}` : `${imports} imports of ${who}`
  const what = count === 1 ? 'a KYC attempt or order that waits' : `${count} KYC attempts and orders that wait`
  return `${from} carried decisions on ${what} for an operator here; refused`
}
