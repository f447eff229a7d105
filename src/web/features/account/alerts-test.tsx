import { useMutation, useQueryClient } from '@tanstack/react-query'
import { alertRoutes, type AlertOutput } from '#contract/alerts.ts'
import { call, describeError } from '#web/api.ts'
import { showFailure } from '#web/changes/change-toasts.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { toast } from '#web/ui/toast.ts'
import { refetchAccount } from './use-account-change.ts'

/** Sends a test to an output. What became of it appears beside the output as soon as it is known. */
export function AlertTest({ output, label }: { output: AlertOutput; label: string }) {
  const client = useQueryClient()
  const send = useMutation({
    mutationFn: () => call(alertRoutes.test, { params: { output } }),
    onSuccess: async ({ message }) => {
      toast({ tone: 'success', title: 'Test on its way', description: message })
      await refetchAccount(client)
    },
    onError: (error) => showFailure(error, describeError(error), 'The test was not sent'),
  })
  return (
    <ChangeButton loading={send.isPending} onClick={() => send.mutate()}>
      {label}
    </ChangeButton>
  )
}
