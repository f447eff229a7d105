import { LogOut } from 'lucide-react'
import { operatorRoutes, operatorTexts } from '#contract/operators.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import { call, describeError } from '#web/api.ts'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { refetchOperators } from './queries.ts'

/** Ends all sessions of an operator, who can sign in again. */
export default function SessionsDialog({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const { username, sessions } = operator
  const change = useChange({
    entity: operator,
    send: ({ id }) => call(operatorRoutes.endSessions, { params: { id } }),
    refetch: refetchOperators,
    success: operatorTexts.sessionsEnded,
    describe: () => username,
    failure: (error) => describeError(error, 'Failed to end the sessions'),
    onDone: onClose,
  })
  return (
    <FormDialog
      role="alertdialog"
      title={`End ${sessions === 1 ? 'the session' : `all ${sessions} sessions`} of ${username}?`}
      description="Unsent input stays in the operator's browser, who can sign in again."
      action={{ label: 'End Sessions', icon: LogOut, tone: 'danger' }}
      {...change.form}
      onClose={onClose}
    />
  )
}
