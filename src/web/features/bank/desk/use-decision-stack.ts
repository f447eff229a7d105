import { useState } from 'react'
import type { BankLine } from '#contract/schemas/bank.ts'
import { allocationRoutes } from '#contract/bank-allocations.ts'
import { ApiError, call, describeChangeRefusal, isUnauthorized, SentForApproval } from '#web/api.ts'
import type { Decision } from './line/use-apply.ts'

/** A line of those that one press has applied together. */
export interface AppliedLine {
  line: BankLine
  allocationIds: readonly string[]
}

/** What one press has applied together: it is undone with one reason. */
export interface Batch {
  applied: readonly AppliedLine[]
}

export type DecisionOrBatch = Decision | Batch
export const isBatch = (made: DecisionOrBatch): made is Batch => 'applied' in made

const listAllocationIds = (made: DecisionOrBatch): readonly string[] =>
  isBatch(made) ? made.applied.flatMap(({ allocationIds }) => allocationIds) : made.allocations.map(({ id }) => id)

/** What this operator has decided on this screen, the latest last, so that the last of it can be undone. */
export function useDecisionStack() {
  const [made, setMade] = useState<readonly DecisionOrBatch[]>([])
  return {
    last: made.at(-1),
    push: (decision: DecisionOrBatch) => setMade((now) => [...now, decision]),
    /** Takes out what has these allocations. Of a batch the other lines stay. */
    remove: (allocationIds: readonly string[]) => {
      const gone = new Set(allocationIds)
      const isGone = (id: string) => gone.has(id)
      setMade((now) =>
        now
          .map((each) =>
            isBatch(each) ? { applied: each.applied.filter((line) => !line.allocationIds.every(isGone)) } : each,
          )
          .filter((each) => (isBatch(each) ? each.applied.length > 0 : !listAllocationIds(each).some(isGone))),
      )
    },
  }
}
export type DecisionStack = ReturnType<typeof useDecisionStack>

/** Whether the answer says something of this line, so that the next one can be tried. */
const isOfLine = (error: unknown) =>
  error instanceof SentForApproval ||
  (error instanceof ApiError && !isUnauthorized(error) && [400, 404, 409].includes(error.status))

/** Undoes allocations of a line, all of them or none; where an approval is needed, by one request. */
export const sendUndo = (lineId: string, allocationIds: readonly string[], reason: string) =>
  call(allocationRoutes.undoAllocations, {
    params: { id: lineId },
    body: { allocationIds: [...allocationIds], reason },
  })

/** Undoes what was applied of a line. Null where that is done, else why it can't be. Throws what says nothing of the line. */
export async function undoLine({ line, allocationIds }: AppliedLine, reason: string): Promise<string | null> {
  try {
    await sendUndo(line.id, allocationIds, reason)
    return null
  } catch (error) {
    if (!isOfLine(error)) throw error
    return error instanceof SentForApproval ? error.message : describeChangeRefusal(error)
  }
}
