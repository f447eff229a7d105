import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { factorRoutes } from '#contract/factors.ts'
import { call, describeError } from '#web/api.ts'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import type { AppSetup } from './app-dialog.tsx'

const PasskeyDialog = lazy(() => import('./passkey-dialog.tsx'))
const AppDialog = lazy(() => import('./app-dialog.tsx'))
const RecoveryCodesDialog = lazy(() => import('./recovery-codes.tsx'))

interface AddFactorProps {
  isPrimary?: boolean
  disabled?: boolean
  /** Called when the factor is there, and the recovery codes that came with it have been kept. */
  onDone?: () => void
}

/** After the first factor its recovery codes are shown, and only then it is done. */
function useAdded(close: () => void, onDone?: () => void) {
  const [codes, setCodes] = useState<string[] | null>(null)
  const takeAdded = (recoveryCodes: string[] | null) => {
    close()
    setCodes(recoveryCodes)
    if (!recoveryCodes) onDone?.()
  }
  const finish = () => {
    setCodes(null)
    onDone?.()
  }
  return { takeAdded, codesDialog: codes && <RecoveryCodesDialog codes={codes} onClose={finish} /> }
}

export function AddPasskey({ isPrimary = false, disabled = false, onDone }: AddFactorProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const { takeAdded, codesDialog } = useAdded(close, onDone)
  return (
    <>
      <ChangeButton
        variant={isPrimary ? 'primary' : 'default'}
        aria-haspopup="dialog"
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        Add Passkey
      </ChangeButton>
      <LazyBoundary fallback={null} onFailure={close}>
        {isOpen && <PasskeyDialog onClose={close} onAdded={takeAdded} />}
        {codesDialog}
      </LazyBoundary>
    </>
  )
}

export function AddApp({ onDone }: AddFactorProps) {
  const [setup, setSetup] = useState<AppSetup | null>(null)
  const close = () => setSetup(null)
  const { takeAdded, codesDialog } = useAdded(close, onDone)
  const begin = useMutation({ mutationFn: () => call(factorRoutes.beginTotp), onSuccess: setSetup })
  return (
    <>
      <div>
        <ChangeButton aria-haspopup="dialog" loading={begin.isPending} onClick={() => begin.mutate()}>
          Add Authenticator App
        </ChangeButton>
        <FieldError>{begin.error && describeError(begin.error)}</FieldError>
      </div>
      <LazyBoundary fallback={null} onFailure={close}>
        {setup && <AppDialog setup={setup} onClose={close} onAdded={takeAdded} />}
        {codesDialog}
      </LazyBoundary>
    </>
  )
}
