import { useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { accountSecurityRoutes } from '#contract/account-security.ts'
import type { AccountSession } from '#contract/schemas/account-security.ts'
import { call, describeChangeFailure, describeChangeRefusal, isUnauthorized } from '#web/api.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { toast } from '#web/ui/toast.ts'
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
  const client = useQueryClient()
  const isAll = ending === 'others'
  const end = useSingleMutation({
    mutationFn: () =>
      isAll
        ? call(accountSecurityRoutes.endOtherSessions)
        : call(accountSecurityRoutes.endSession, { params: { id: ending.id } }),
    onSuccess: async ({ message }) => {
      toast({
        tone: 'success',
        title: isAll ? 'Sessions ended' : 'Session ended',
        description: isAll ? message : ending.device,
      })
      await refetchSessions(client)
      onClose()
    },
    onError: (error) => {
      // It may have ended by itself meanwhile.
      void refetchSessions(client)
      // The shared handler reports an ended session (product 9.2). No other toast may cover it.
      if (isUnauthorized(error)) return
      const description = describeChangeFailure(
        error,
        isAll ? 'Failed to end the sessions' : 'Failed to end the session',
      )
      toast({ tone: 'destructive', title: 'Error', description })
    },
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
      onSubmit={() => end.mutate()}
      onClose={onClose}
      pending={end.isPending}
      refusal={end.error && describeChangeRefusal(end.error)}
    />
  )
}
