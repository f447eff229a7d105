import { useQueryClient } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { maxBankReason } from '#contract/bank.ts'
import { describeChangeFailure, describeChangeRefusal, describeError, isUnauthorized } from '#web/api.ts'
import { refetchBank } from '#web/bank/queries.ts'
import { useSingleMutation } from '#web/changes/use-single-mutation.ts'
import { Field } from '#web/ui/field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'

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
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const change = useSingleMutation({
    mutationFn: () => send(reason.trim()),
    onSuccess: async ({ message }) => {
      toast({ tone: 'success', title: message, description: done })
      await refetchBank(client)
      onClose()
    },
    onError: (error) => {
      void refetchBank(client)
      if (isUnauthorized(error)) return
      const text = describeChangeFailure(error, describeError(error, failure))
      toast({ tone: 'destructive', title: 'Error', description: text })
    },
  })
  return (
    <FormDialog
      title={title}
      description={description}
      action={{ ...action, disabled: isChecking || Boolean(obstacle) || reason.trim() === '' }}
      {...(obstacle && { cancelLabel: 'Close' })}
      onSubmit={() => change.mutate()}
      onClose={onClose}
      pending={change.isPending}
      refusal={change.error ? describeChangeRefusal(change.error) : null}
    >
      {obstacle ?? (
        <Field label="Reason">
          {(control) => (
            <Input
              {...control}
              dir="auto"
              maxLength={maxBankReason}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
