import type { LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { maxBankReason } from '#contract/bank.ts'
import { describeError } from '#web/api.ts'
import { refetchBank } from '#web/bank/queries.ts'
import { useChange } from '#web/changes/use-change.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'

interface ReasonDialogProps {
  title: string
  /** What goes, and what stays. */
  description: ReactNode
  action: { label: string; icon: LucideIcon; tone?: 'primary' | 'danger' }
  send: (reason: string) => Promise<{ message: string }>
  /** The toast's second line. */
  done: string
  failure: string
  /** Whether it can be done is not known yet. */
  isChecking?: boolean
  /** What forbids it, in place of the reason. */
  obstacle?: ReactNode
  onClose: () => void
}

/** A change of the bank's files that takes a reason. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, description, action, send, done, failure, isChecking = false, obstacle, onClose } = props
  const [reason, setReason] = useState('')
  const change = useChange({
    entity: null,
    send: () => send(reason.trim()),
    refetch: refetchBank,
    success: ({ message }) => message,
    describe: () => done,
    failure: (error) => describeError(error, failure),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={title}
      description={description}
      action={{ ...action, disabled: isChecking || Boolean(obstacle) || reason.trim() === '' }}
      {...(obstacle && { cancelLabel: 'Close' })}
      {...change.form}
      onClose={onClose}
    >
      {obstacle ?? <TextField label="Reason" dir="auto" maxLength={maxBankReason} value={reason} onType={setReason} />}
    </FormDialog>
  )
}
