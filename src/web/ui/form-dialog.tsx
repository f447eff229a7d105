import type { LucideIcon } from 'lucide-react'
import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogBody, dialogColumn, DialogFooter } from './dialog.tsx'
import { Note } from './note.tsx'

interface FormDialogProps {
  title: ReactNode
  description?: ReactNode
  action: { label: string; icon?: LucideIcon; tone?: 'primary' | 'danger'; disabled?: boolean }
  cancelLabel?: string
  onSubmit: () => void
  onClose: () => void
  pending?: boolean
  /** The server's refusal, where no field can be blamed. What was typed stays. */
  refusal?: string | null | undefined
  /** `alertdialog` where only a decision is asked for: without a field, Cancel has the focus. */
  role?: 'dialog' | 'alertdialog'
  /** The fields; the first gets the focus. */
  children?: ReactNode
}

/**
 * A dialog that asks before it does. A dangerous action is never what plain Enter does: it is pressed, or confirmed by
 * Ctrl or Cmd with Enter, as everything else is too.
 */
export function FormDialog({
  title,
  description,
  action: { label, icon: Icon, tone = 'primary', disabled = false },
  cancelLabel = 'Cancel',
  onSubmit,
  onClose,
  pending = false,
  refusal,
  role,
  children,
}: FormDialogProps) {
  const isDanger = tone === 'danger'
  const submit = () => {
    if (!pending && !disabled) onSubmit()
  }
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isDanger) submit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, repeat, nativeEvent } = event
    if (key !== 'Enter' || !(ctrlKey || metaKey) || nativeEvent.isComposing) return
    event.preventDefault()
    if (!repeat) submit()
  }
  return (
    <Dialog title={title} description={description} onClose={onClose} locked={pending} {...(role && { role })}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its own button */}
      <form noValidate onSubmit={onFormSubmit} onKeyDown={onKeyDown} className={dialogColumn}>
        {refusal || children ? (
          <DialogBody>
            {refusal && (
              <Note tone="danger" role="alert" className={children ? 'mb-4' : ''}>
                {refusal}
              </Note>
            )}
            {children}
          </DialogBody>
        ) : (
          <div className="pb-5" />
        )}
        <DialogFooter>
          <Button onClick={onClose} disabled={pending}>
            {cancelLabel}
          </Button>
          <Button
            type={isDanger ? 'button' : 'submit'}
            variant={isDanger ? 'danger-solid' : 'primary'}
            loading={pending}
            disabled={disabled}
            {...(isDanger && { onClick: submit })}
          >
            {Icon && <Icon aria-hidden />}
            {label}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
