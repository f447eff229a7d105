import { useState } from 'react'
import { factorRoutes, longestFactorName } from '#contract/factors.ts'
import { call, describeChangeRefusal } from '#web/api.ts'
import { createPasskey, describePasskeyFailure } from '#web/factors/passkeys.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { useAccountChange } from './use-account-change.ts'

interface AddFactorProps {
  onClose: () => void
  /** Called with the recovery codes that came with the first factor, else null. */
  onAdded: (recoveryCodes: string[] | null) => void
}

/** Names a passkey and has the browser make it. */
export default function PasskeyDialog({ onClose, onAdded }: AddFactorProps) {
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const add = useAccountChange({
    send: async (given: string) => {
      const { options } = await call(factorRoutes.beginPasskey)
      const response = await createPasskey(options)
      return call(factorRoutes.addPasskey, { body: { name: given, response } })
    },
    onDone: ({ recoveryCodes, factor }) => {
      toast({ tone: 'success', title: 'Passkey added', description: factor.name })
      onAdded(recoveryCodes)
    },
    failure: 'Failed to add the passkey',
  })
  function submit() {
    setMissing(name.trim() === '')
    if (name.trim() !== '') add.mutate(name.trim())
  }
  return (
    <FormDialog
      title="Add a passkey"
      description="Your browser asks for your fingerprint, face, PIN or security key. Your other sessions end."
      action={{ label: 'Add Passkey' }}
      onSubmit={submit}
      onClose={onClose}
      pending={add.isPending}
      refusal={add.error && (describePasskeyFailure(add.error) ?? describeChangeRefusal(add.error))}
    >
      <Field label="Name" hint="To tell it from others later." error={isMissing ? 'Required' : null}>
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={longestFactorName}
            placeholder="Work laptop"
            autoComplete="off"
            dir="auto"
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
