import { useState } from 'react'
import { factorRoutes, longestFactorName } from '#contract/factors.ts'
import { call } from '#web/api.ts'
import { createPasskey, describePasskeyFailure } from '#web/factors/passkeys.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useAccountChange } from './use-account-change.ts'

interface AddFactorProps {
  onClose: () => void
  /** Called with the recovery codes that came with the first factor, else null. */
  onAdded: (recoveryCodes: string[] | null) => void
}

/** Names a passkey and has the browser make it. */
export default function PasskeyDialog({ onClose, onAdded }: AddFactorProps) {
  const [name, setName] = useState('')
  const add = useAccountChange({
    check: () => ({ name: name.trim() === '' ? 'Required' : undefined }),
    send: async () => {
      const { options } = await call(factorRoutes.beginPasskey)
      const response = await createPasskey(options)
      return call(factorRoutes.addPasskey, { body: { name: name.trim(), response } })
    },
    success: 'Passkey added',
    describe: ({ factor }) => factor.name,
    failure: 'Failed to add the passkey',
    onReply: ({ recoveryCodes }) => onAdded(recoveryCodes),
  })
  return (
    <FormDialog
      title="Add a passkey"
      description="Your browser asks for your fingerprint, face, PIN or security key. Your other sessions end."
      action={{ label: 'Add Passkey' }}
      {...add.form}
      refusal={(add.error && describePasskeyFailure(add.error)) ?? add.refusal}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="To tell it from others later."
        error={add.problems['name']}
        value={name}
        maxLength={longestFactorName}
        placeholder="Work laptop"
        autoComplete="off"
        dir="auto"
        onType={setName}
      />
    </FormDialog>
  )
}
