import { useState } from 'react'
import { factorRoutes, longestFactorName } from '#contract/factors.ts'
import type { ReplyOf } from '#contract/route.ts'
import { call, describeChangeRefusal } from '#web/api.ts'
import { readProblems, type Problems } from '#web/changes/read-problems.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import QrCode from '#web/ui/qr-code.tsx'
import { toast } from '#web/ui/toast.ts'
import { useAccountChange } from './use-account-change.ts'

export type AppSetup = ReplyOf<typeof factorRoutes.beginTotp>

interface AppDialogProps {
  setup: AppSetup
  onClose: () => void
  /** Called with the recovery codes that came with the first factor, else null. */
  onAdded: (recoveryCodes: string[] | null) => void
}

/** Shows the key of an authenticator app, and takes its first code. */
export default function AppDialog({ setup, onClose, onAdded }: AppDialogProps) {
  const [typed, setTyped] = useState({ name: '', code: '' })
  const [missing, setMissing] = useState<Problems>({})
  const add = useAccountChange({
    send: (given: typeof typed) => call(factorRoutes.addTotp, { body: { ...given, setup: setup.setup } }),
    onDone: ({ recoveryCodes, factor }) => {
      toast({ tone: 'success', title: 'Authenticator app added', description: factor.name })
      onAdded(recoveryCodes)
    },
    failure: 'Failed to add the authenticator app',
  })
  const problems = { ...readProblems(add.error), ...missing }
  function submit() {
    const given = { name: typed.name.trim(), code: typed.code.replaceAll(/\s/g, '') }
    const found = {
      ...(given.name === '' && { name: 'Required' }),
      ...(given.code === '' && { code: 'Required' }),
    }
    setMissing(found)
    if (Object.keys(found).length === 0) add.mutate(given)
  }
  const isElsewhere = add.error && !problems['code'] && !problems['name']
  return (
    <FormDialog
      title="Add an authenticator app"
      description="Scan the code with your app, then type the 6 digits that it shows. Your other sessions end."
      action={{ label: 'Add App' }}
      onSubmit={submit}
      onClose={onClose}
      pending={add.isPending}
      refusal={isElsewhere ? describeChangeRefusal(add.error) : null}
    >
      <AppKey setup={setup} />
      <AppFields {...{ typed, problems }} onChange={(changed) => setTyped({ ...typed, ...changed })} />
    </FormDialog>
  )
}

/** The key as a picture, black on white in both themes, and as text for an app that cannot scan. */
const AppKey = ({ setup }: { setup: AppSetup }) => (
  <div className="mb-4 grid justify-items-center gap-3">
    <div className="w-44 max-w-full overflow-hidden rounded-m border">
      <QrCode text={setup.uri} label="QR code of the key for your authenticator app" />
    </div>
    <p className="text-center text-12 text-quiet">
      Can’t scan it? Type this key:
      <span className="mt-1 flex items-center justify-center gap-1">
        <code aria-label="Key" className="hash-text break-all text-ink">
          {setup.secret}
        </code>
        <CopyButton text={setup.secret} label="Copy key" />
      </span>
    </p>
  </div>
)

interface AppFieldsProps {
  typed: { name: string; code: string }
  problems: Problems
  onChange: (changed: Partial<{ name: string; code: string }>) => void
}

const AppFields = ({ typed, problems, onChange }: AppFieldsProps) => (
  <div className="grid gap-4">
    <Field label="Name" error={problems['name']}>
      {(control) => (
        <Input
          {...control}
          value={typed.name}
          maxLength={longestFactorName}
          placeholder="Phone"
          autoComplete="off"
          dir="auto"
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
    </Field>
    <Field label="Code" error={problems['code']}>
      {(control) => (
        <Input
          {...control}
          value={typed.code}
          maxLength={20}
          inputMode="numeric"
          autoComplete="one-time-code"
          className="tabular-nums"
          onChange={({ target }) => onChange({ code: target.value })}
        />
      )}
    </Field>
  </div>
)
