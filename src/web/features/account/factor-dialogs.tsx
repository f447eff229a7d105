import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { factorLabels, factorRoutes, longestFactorName } from '#contract/factors.ts'
import type { Factor } from '#contract/schemas/factors.ts'
import { call, describeChangeRefusal } from '#web/api.ts'
import { Field } from '#web/ui/field.tsx'
import { readProblems } from '#web/changes/read-problems.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
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
  const [isMissing, setMissing] = useState(false)
  const rename = useAccountChange({
    send: (name: string) => call(factorRoutes.rename, { params: { id: factor.id }, body: { name } }),
    onDone: (reply) => {
      toast({ tone: 'success', title: reply.message, description: reply.factor.name })
      onClose()
    },
    failure: 'Failed to rename the factor',
  })
  const problem = isMissing ? 'Required' : readProblems(rename.error)['name']
  return (
    <FormDialog
      title={`Rename ${factor.name}`}
      action={{ label: 'Save' }}
      onSubmit={() => {
        setMissing(typed.trim() === '')
        if (typed.trim() !== '') rename.mutate(typed.trim())
      }}
      onClose={onClose}
      pending={rename.isPending}
      refusal={rename.error && !problem ? describeChangeRefusal(rename.error) : null}
    >
      <Field label="Name" error={problem}>
        {(control) => (
          <Input
            {...control}
            value={typed}
            maxLength={longestFactorName}
            autoComplete="off"
            dir="auto"
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

function RemoveDialog({ factor, isLast, onClose }: Omit<FactorDialogProps, 'name'>) {
  const remove = useAccountChange({
    send: () => call(factorRoutes.remove, { params: { id: factor.id } }),
    onDone: (reply) => {
      toast({ tone: 'success', title: reply.message, description: factor.name })
      onClose()
    },
    failure: 'Failed to remove the factor',
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
      onSubmit={() => remove.mutate(undefined)}
      onClose={onClose}
      pending={remove.isPending}
      refusal={remove.error && describeChangeRefusal(remove.error)}
    />
  )
}
