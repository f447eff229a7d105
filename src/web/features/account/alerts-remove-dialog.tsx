import { alertRoutes, type AlertOutput } from '#contract/alerts.ts'
import { call } from '#web/api.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
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
  const change = useAccountChange({
    send: () => call(alertRoutes.remove, { params: { output } }),
    success: 'Removed',
    describe: ({ message }) => message,
    failure: 'Failed to remove it',
    onReply: onClose,
  })
  return (
    <FormDialog
      role="alertdialog"
      title={title}
      description={description}
      action={{ label, tone: 'danger' }}
      {...change.form}
      onClose={onClose}
    />
  )
}
