import { factorRoutes } from '#contract/factors.ts'
import { call, describeChangeRefusal } from '#web/api.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { useAccountChange } from './use-account-change.ts'

interface NewCodesDialogProps {
  onClose: () => void
  onMade: (codes: string[]) => void
}

export default function NewCodesDialog({ onClose, onMade }: NewCodesDialogProps) {
  const make = useAccountChange({
    send: () => call(factorRoutes.createRecoveryCodes),
    onDone: ({ recoveryCodes }) => onMade(recoveryCodes),
    failure: 'Failed to make recovery codes',
  })
  return (
    <FormDialog
      role="alertdialog"
      title="Make new recovery codes?"
      description="The codes that you have now no longer work."
      action={{ label: 'Make New Codes' }}
      onSubmit={() => make.mutate(undefined)}
      onClose={onClose}
      pending={make.isPending}
      refusal={make.error && describeChangeRefusal(make.error)}
    />
  )
}
