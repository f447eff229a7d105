import { factorRoutes } from '#contract/factors.ts'
import { call } from '#web/api.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { useAccountChange } from './use-account-change.ts'

interface NewCodesDialogProps {
  onClose: () => void
  onMade: (codes: string[]) => void
}

export default function NewCodesDialog({ onClose, onMade }: NewCodesDialogProps) {
  const make = useAccountChange({
    send: () => call(factorRoutes.createRecoveryCodes),
    onReply: ({ recoveryCodes }) => onMade(recoveryCodes),
    failure: 'Failed to make recovery codes',
  })
  return (
    <FormDialog
      role="alertdialog"
      title="Make new recovery codes?"
      description="The codes that you have now no longer work."
      action={{ label: 'Make New Codes' }}
      {...make.form}
      onClose={onClose}
    />
  )
}
