import { useState } from 'react'
import {
  alertCodeDigits,
  alertCodeMinutes,
  alertRoutes,
  emailProblem,
  isEmail,
  longestEmail,
} from '#contract/alerts.ts'
import type { Alerts } from '#contract/schemas/alerts.ts'
import { call } from '#web/api.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useAccountChange } from './use-account-change.ts'

interface EmailDialogProps {
  email: Alerts['email']
  /** Whether a code is on its way, so that it is asked for first. */
  isCodeSent: boolean
  onClose: () => void
}

/** Takes an e-mail address, then the code that was sent there. */
export default function AlertEmailDialog({ email, isCodeSent, onClose }: EmailDialogProps) {
  const [sentTo, setSentTo] = useState(isCodeSent ? email.waitingAddress : null)
  if (sentTo === null) return <AddressForm known={email.address ?? ''} onSent={setSentTo} onClose={onClose} />
  return <CodeForm address={sentTo} onAnother={() => setSentTo(null)} onClose={onClose} />
}

interface AddressFormProps {
  known: string
  onSent: (address: string) => void
  onClose: () => void
}

function AddressForm({ known, onSent, onClose }: AddressFormProps) {
  const [typed, setTyped] = useState(known)
  const address = typed.trim()
  const change = useAccountChange({
    check: () => ({ address: isEmail(address) ? undefined : `The address ${emailProblem}` }),
    send: () => call(alertRoutes.setEmail, { body: { address } }),
    onReply: ({ alerts }) => alerts.email.waitingAddress !== null && onSent(alerts.email.waitingAddress),
    failure: 'Failed to send the code',
    fields: ['address'],
  })
  return (
    <FormDialog
      title="E-mail address for alerts"
      description="A code goes there. Nothing else does before you have entered it."
      action={{ label: 'Send Code' }}
      {...change.form}
      onClose={onClose}
    >
      <TextField
        label="E-mail address"
        error={change.problems['address']}
        type="email"
        value={typed}
        maxLength={longestEmail}
        autoComplete="email"
        onType={setTyped}
      />
    </FormDialog>
  )
}

function CodeForm({ address, onAnother, onClose }: { address: string; onAnother: () => void; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const code = typed.replaceAll(/\s/g, '')
  const isCode = /^\d+$/.test(code) && code.length === alertCodeDigits
  const change = useAccountChange({
    check: () => ({ code: isCode ? undefined : `Type the ${alertCodeDigits} digits of the e-mail` }),
    send: () => call(alertRoutes.confirmEmail, { body: { code } }),
    success: 'Address confirmed',
    describe: () => address,
    failure: 'Failed to confirm the address',
    onReply: onClose,
    fields: ['code'],
  })
  return (
    <FormDialog
      title="Enter the code"
      description={
        <>
          It went to <bdi>{address}</bdi> and counts for {alertCodeMinutes} minutes. Look among unwanted mail too.
        </>
      }
      action={{ label: 'Confirm Address' }}
      {...change.form}
      onClose={onClose}
    >
      <TextField
        label="Code"
        error={change.problems['code']}
        value={typed}
        maxLength={20}
        inputMode="numeric"
        autoComplete="one-time-code"
        inputClassName="tabular-nums"
        onType={setTyped}
      />
      <button type="button" className="mt-3 text-13 link-reference" onClick={onAnother}>
        Another address, or another code
      </button>
    </FormDialog>
  )
}
