import { useState } from 'react'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { Decision } from './line/use-apply.ts'

/** A line of those that one press has applied together. */
export interface AppliedLine {
  line: BankLine
  partIds: readonly string[]
}

/** What one press has applied together: it is undone with one reason. */
export interface Batch {
  applied: readonly AppliedLine[]
}

export type Made = Decision | Batch
export const isBatch = (made: Made): made is Batch => 'applied' in made

const listPartIds = (made: Made): readonly string[] =>
  isBatch(made) ? made.applied.flatMap(({ partIds }) => partIds) : made.parts.map(({ id }) => id)

/** What this operator has decided on this screen, the latest last, so that the last of it can be undone. */
export function useDecisionStack() {
  const [made, setMade] = useState<readonly Made[]>([])
  return {
    last: made.at(-1),
    push: (decision: Made) => setMade((now) => [...now, decision]),
    /** Takes out what has these parts. Of a batch the other lines stay. */
    remove: (partIds: readonly string[]) => {
      const gone = new Set(partIds)
      const isGone = (id: string) => gone.has(id)
      setMade((now) =>
        now
          .map((each) =>
            isBatch(each) ? { applied: each.applied.filter((line) => !line.partIds.every(isGone)) } : each,
          )
          .filter((each) => (isBatch(each) ? each.applied.length > 0 : !listPartIds(each).some(isGone))),
      )
    },
  }
}
export type DecisionStack = ReturnType<typeof useDecisionStack>
