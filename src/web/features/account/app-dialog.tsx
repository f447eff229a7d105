import { useState } from 'react'
import { factorRoutes, longestFactorName } from '#contract/factors.ts'
import type { ReplyOf } from '#contract/route.ts'
import { call } from '#web/api.ts'
import type { Problems } from '#web/changes/use-change.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import QrCode from '#web/ui/qr-code.tsx'
import { TextField } from '#web/ui/text-field.tsx'
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
  const given = { name: typed.name.trim(), code: typed.code.replaceAll(/\s/g, '') }
  const add = useAccountChange({
    check: () => ({
      name: given.name === '' ? 'Required' : undefined,
      code: given.code === '' ? 'Required' : undefined,
    }),
    send: () => call(factorRoutes.addTotp, { body: { ...given, setup: setup.setup } }),
    success: 'Authenticator app added',
    describe: ({ factor }) => factor.name,
    failure: 'Failed to add the authenticator app',
    onReply: ({ recoveryCodes }) => onAdded(recoveryCodes),
    fields: ['name', 'code'],
  })
  return (
    <FormDialog
      title="Add an authenticator app"
      description="Scan the code with your app, then type the 6 digits that it shows. Your other sessions end."
      action={{ label: 'Add App' }}
      {...add.form}
      onClose={onClose}
    >
      <AppKey setup={setup} />
      <AppFields typed={typed} problems={add.problems} onChange={(changed) => setTyped({ ...typed, ...changed })} />
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
    <TextField
      label="Name"
      error={problems['name']}
      value={typed.name}
      maxLength={longestFactorName}
      placeholder="Phone"
      autoComplete="off"
      dir="auto"
      onType={(text) => onChange({ name: text })}
    />
    <TextField
      label="Code"
      error={problems['code']}
      value={typed.code}
      maxLength={20}
      inputMode="numeric"
      autoComplete="one-time-code"
      inputClassName="tabular-nums"
      onType={(text) => onChange({ code: text })}
    />
  </div>
)
