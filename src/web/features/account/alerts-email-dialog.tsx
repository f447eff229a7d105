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
import { call, describeChangeRefusal } from '#web/api.ts'
import { readProblems } from '#web/changes/read-problems.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
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
  if (sentTo === null) return <AddressForm address={email.address ?? ''} onSent={setSentTo} onClose={onClose} />
  return <CodeForm address={sentTo} onAnother={() => setSentTo(null)} onClose={onClose} />
}

function AddressForm({
  address,
  onSent,
  onClose,
}: {
  address: string
  onSent: (address: string) => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState(address)
  const [problem, setProblem] = useState<string | null>(null)
  const change = useAccountChange({
    send: (given: string) => call(alertRoutes.setEmail, { body: { address: given } }),
    onDone: ({ alerts }) => alerts.email.waitingAddress !== null && onSent(alerts.email.waitingAddress),
    failure: 'Failed to send the code',
  })
  const found = problem ?? readProblems(change.error)['address']
  function submit() {
    const given = typed.trim()
    const wrong = isEmail(given) ? null : `The address ${emailProblem}`
    setProblem(wrong)
    if (wrong === null) change.mutate(given)
  }
  return (
    <FormDialog
      title="E-mail address for alerts"
      description="A code goes there. Nothing else does before you have entered it."
      action={{ label: 'Send Code' }}
      onSubmit={submit}
      onClose={onClose}
      pending={change.isPending}
      refusal={change.error && !found ? describeChangeRefusal(change.error) : null}
    >
      <Field label="E-mail address" error={found}>
        {(control) => (
          <Input
            {...control}
            type="email"
            value={typed}
            maxLength={longestEmail}
            autoComplete="email"
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

function CodeForm({ address, onAnother, onClose }: { address: string; onAnother: () => void; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [missing, setMissing] = useState(false)
  const change = useAccountChange({
    send: (code: string) => call(alertRoutes.confirmEmail, { body: { code } }),
    onDone: () => {
      toast({ tone: 'success', title: 'Address confirmed', description: address })
      onClose()
    },
    failure: 'Failed to confirm the address',
  })
  const found = missing ? `Type the ${alertCodeDigits} digits of the e-mail` : readProblems(change.error)['code']
  function submit() {
    const code = typed.replaceAll(/\s/g, '')
    const isMissing = !/^\d+$/.test(code) || code.length !== alertCodeDigits
    setMissing(isMissing)
    if (!isMissing) change.mutate(code)
  }
  return (
    <FormDialog
      title="Enter the code"
      description={
        <>
          It went to <bdi>{address}</bdi> and counts for {alertCodeMinutes} minutes. Look among unwanted mail too.
        </>
      }
      action={{ label: 'Confirm Address' }}
      onSubmit={submit}
      onClose={onClose}
      pending={change.isPending}
      refusal={change.error && !found ? describeChangeRefusal(change.error) : null}
    >
      <Field label="Code" error={found}>
        {(control) => (
          <Input
            {...control}
            value={typed}
            maxLength={20}
            inputMode="numeric"
            autoComplete="one-time-code"
            className="tabular-nums"
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <button type="button" className="mt-3 text-13 text-link underline underline-offset-3" onClick={onAnother}>
        Another address, or another code
      </button>
    </FormDialog>
  )
}
