import { reconciliationRoutes } from '#contract/reconciliation.ts'
import { ApiError, call, describeChangeRefusal, isUnauthorized, SentForApproval } from '#web/api.ts'
import type { AppliedLine } from '#web/features/reconciliation/desk/use-decision-stack.ts'

/** Whether the answer says something of this line, so that the next one can be tried. */
const isOfLine = (error: unknown) =>
  error instanceof SentForApproval ||
  (error instanceof ApiError && !isUnauthorized(error) && [400, 404, 409].includes(error.status))

/** Undoes parts of a line, all of them or none; where an approval is needed, by one request. */
export const sendUndo = (lineId: string, partIds: readonly string[], reason: string) =>
  call(reconciliationRoutes.undoParts, { params: { id: lineId }, body: { partIds: [...partIds], reason } })

/** Undoes what was applied of a line. Null where that is done, else why it can't be. Throws what says nothing of the line. */
export async function undoLine({ line, partIds }: AppliedLine, reason: string): Promise<string | null> {
  try {
    await sendUndo(line.id, partIds, reason)
    return null
  } catch (error) {
    if (!isOfLine(error)) throw error
    return error instanceof SentForApproval ? error.message : describeChangeRefusal(error)
  }
}
