import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { factorLabels, factorRoutes, longestFactorName } from '#contract/factors.ts'
import type { Factor } from '#contract/schemas/factors.ts'
import { call } from '#web/api.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useAccountChange } from './use-account-change.ts'

export interface FactorDialogProps {
  name: 'rename' | 'remove'
  factor: Factor
  /** It is the only one. */
  isLast: boolean
  onClose: () => void
}

export default function FactorDialog({ name, ...rest }: FactorDialogProps) {
  return name === 'rename' ? <RenameDialog {...rest} /> : <RemoveDialog {...rest} />
}

function RenameDialog({ factor, onClose }: Omit<FactorDialogProps, 'name'>) {
  const [typed, setTyped] = useState(factor.name)
  const name = typed.trim()
  const rename = useAccountChange({
    check: () => ({ name: name === '' ? 'Required' : undefined }),
    send: () => call(factorRoutes.rename, { params: { id: factor.id }, body: { name } }),
    success: ({ message }) => message,
    describe: (reply) => reply.factor.name,
    failure: 'Failed to rename the factor',
    onReply: onClose,
    fields: ['name'],
  })
  return (
    <FormDialog title={`Rename ${factor.name}`} action={{ label: 'Save' }} {...rename.form} onClose={onClose}>
      <TextField
        label="Name"
        error={rename.problems['name']}
        value={typed}
        maxLength={longestFactorName}
        autoComplete="off"
        dir="auto"
        onType={setTyped}
      />
    </FormDialog>
  )
}

function RemoveDialog({ factor, isLast, onClose }: Omit<FactorDialogProps, 'name'>) {
  const remove = useAccountChange({
    send: () => call(factorRoutes.remove, { params: { id: factor.id } }),
    success: ({ message }) => message,
    describe: () => factor.name,
    failure: 'Failed to remove the factor',
    onReply: onClose,
  })
  return (
    <FormDialog
      role="alertdialog"
      title={`Remove ${factor.name}?`}
      description={
        isLast
          ? 'It is your last one: from then on your password alone signs you in, and your recovery codes no longer work. Your other sessions end.'
          : `This ${factorLabels[factor.kind].toLowerCase()} no longer signs you in. Your other sessions end.`
      }
      action={{ label: 'Remove', icon: Trash2, tone: 'danger' }}
      {...remove.form}
      onClose={onClose}
    />
  )
}
