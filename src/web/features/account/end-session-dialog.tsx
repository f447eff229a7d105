import { LogOut } from 'lucide-react'
import { accountSecurityRoutes } from '#contract/account-security.ts'
import type { AccountSession } from '#contract/schemas/account.ts'
import { call } from '#web/api.ts'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { refetchSessions } from './queries.ts'

interface EndSessionDialogProps {
  /** The session to end, or all but the present one. */
  ending: AccountSession | 'others'
  /** How many others there are. */
  others: number
  onClose: () => void
}

const consequence = 'It is signed out at once. What is typed there and was not sent is lost.'
const consequences = 'They are signed out at once. What is typed there and was not sent is lost.'

export default function EndSessionDialog({ ending, others, onClose }: EndSessionDialogProps) {
  const isAll = ending === 'others'
  const end = useChange({
    entity: null,
    send: () =>
      isAll
        ? call(accountSecurityRoutes.endOtherSessions)
        : call(accountSecurityRoutes.endSession, { params: { id: ending.id } }),
    refetch: refetchSessions,
    success: isAll ? 'Sessions ended' : 'Session ended',
    describe: ({ message }) => (isAll ? message : ending.device),
    failure: isAll ? 'Failed to end the sessions' : 'Failed to end the session',
    onDone: onClose,
  })
  const count = others === 1 ? 'the other session' : `the other ${others} sessions`
  return (
    <FormDialog
      role="alertdialog"
      title={
        isAll ? (
          `End ${count}?`
        ) : (
          <>
            End the session of <bdi>{ending.device}</bdi>?
          </>
        )
      }
      description={isAll && others !== 1 ? consequences : consequence}
      action={{ label: isAll ? 'End All Others' : 'End Session', icon: LogOut, tone: 'danger' }}
      {...end.form}
      onClose={onClose}
    />
  )
}
