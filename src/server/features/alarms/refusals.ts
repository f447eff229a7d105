import type { AlarmOutputName } from '#contract/alarms.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { AlarmRecord, SendFailure } from './records.ts'

/** Answers to what a post says, also those of a filter in front of the receiver. Others are about the receiver or its address. */
const refusing: ReadonlySet<number> = new Set([400, 403, 406, 413, 415, 422, 451])
/** After so many tries in a row, which take some five minutes, a fault of the receiver counts as one that the post causes. */
const triesOfFault = 8

/** Whether the other side may take the batch if it says something else. */
export const isRefusal = ({ status, retryAfter }: SendFailure, failures: number): boolean =>
  retryAfter === undefined &&
  typeof status === 'number' &&
  (refusing.has(status) || (status === 500 && failures + 1 >= triesOfFault))

const eventType = 'alarm_refused'

/**
 * Reports that a receiver took a record only without what others chose. The event repeats none of that, or it would be refused
 * itself; one about such events would never end.
 */
export async function reportRefusedRecord(
  tx: Tx,
  ctx: Ctx,
  output: AlarmOutputName,
  { id, action }: AlarmRecord,
  { status }: SendFailure,
): Promise<void> {
  if (action === eventType) return
  await countSecurityEvent<{ count: number; records: string[] }>(tx, ctx, {
    type: eventType,
    severity: 'medium',
    by: { output },
    describe(present) {
      const count = (present?.count ?? 0) + 1
      const others = count === 1 ? '' : ` and ${count - 1} more`
      const description = `The ${output} of alarms refused ${id}${others} with HTTP ${status}, and has it without its words: read it here`
      return { description, details: { count, records: [...(present?.records ?? []), id].slice(-mostNamed) } }
    },
  })
}
const mostNamed = 20
