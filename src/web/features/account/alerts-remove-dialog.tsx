import { alertRoutes, type AlertOutput } from '#contract/alerts.ts'
import { call, describeChangeRefusal } from '#web/api.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { useAccountChange } from './use-account-change.ts'

const words: Record<AlertOutput, { title: string; description: string; label: string }> = {
  email: {
    title: 'Remove the e-mail address?',
    description: 'No e-mail goes out to you any more. What you chose stays for another address.',
    label: 'Remove Address',
  },
  chat: {
    title: 'Remove the webhook?',
    description: 'Nothing goes to the chat any more. What you chose stays for another webhook.',
    label: 'Remove Webhook',
  },
}

export default function AlertRemoveDialog({ output, onClose }: { output: AlertOutput; onClose: () => void }) {
  const { title, description, label } = words[output]
  const change = useAccountChange<void, { message: string }>({
    send: () => call(alertRoutes.remove, { params: { output } }),
    onDone: ({ message }) => {
      toast({ tone: 'success', title: 'Removed', description: message })
      onClose()
    },
    failure: 'Failed to remove it',
  })
  return (
    <FormDialog
      role="alertdialog"
      title={title}
      description={description}
      action={{ label, tone: 'danger' }}
      onSubmit={() => change.mutate()}
      onClose={onClose}
      pending={change.isPending}
      refusal={change.error && describeChangeRefusal(change.error)}
    />
  )
}
