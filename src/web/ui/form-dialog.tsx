import type { LucideIcon } from 'lucide-react'
import { useCallback, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { isComposingKey } from '#web/lib/keys.ts'
import { offlineReason, useIsOffline } from '#web/lib/offline.ts'
import { Button } from './button.tsx'
import { Dialog, DialogBody, dialogColumn, DialogFooter } from './dialog.tsx'
import { Note } from './note.tsx'
import { useUnsaved } from './use-unsaved.ts'

interface FormDialogProps {
  title: ReactNode
  description?: ReactNode
  /** `isEarly`: its button is off for a moment, and keeps the focus. */
  action: { label: string; icon?: LucideIcon; tone?: 'primary' | 'danger'; disabled?: boolean; isEarly?: boolean }
  cancelLabel?: string
  onSubmit: () => void
  onClose: () => void
  pending?: boolean
  /** The server's refusal when it names no field. Typed text stays. */
  refusal?: string | null | undefined
  /** `alertdialog` where only a decision is asked for: without a field, Cancel has the focus. */
  role?: 'dialog' | 'alertdialog'
  /** The fields; the first gets the focus. */
  children?: ReactNode
}

/**
 * A dialog that confirms an action. Plain Enter never starts a dangerous one: that takes the button, or Ctrl or Cmd
 * with Enter. The dialog asks before it discards typed text.
 */
export function FormDialog({
  title,
  description,
  action: { label, icon: Icon, tone = 'primary', disabled = false, isEarly = false },
  cancelLabel = 'Cancel',
  onSubmit,
  onClose,
  pending = false,
  refusal,
  role,
  children,
}: FormDialogProps) {
  const isDanger = tone === 'danger'
  const isOffline = useIsOffline()
  const { watchForm, isEdited } = useEdits()
  const close = useUnsaved({ isEdited, isSending: pending, onClose })
  const submit = () => {
    if (!pending && !disabled && !isOffline) onSubmit()
  }
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isDanger) submit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, repeat, nativeEvent } = event
    if (key !== 'Enter' || !(ctrlKey || metaKey) || isComposingKey(nativeEvent)) return
    event.preventDefault()
    if (!repeat) submit()
  }
  return (
    <Dialog
      title={title}
      description={description}
      onClose={() => void close()}
      locked={pending}
      {...(role && { role })}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its own button */}
      <form ref={watchForm} noValidate onSubmit={onFormSubmit} onKeyDown={onKeyDown} className={dialogColumn}>
        <FormBody refusal={refusal}>{children}</FormBody>
        {isOffline && <output className="shrink-0 px-5 pb-3 text-13 text-warning-ink">{offlineReason}</output>}
        <DialogFooter>
          <Button onClick={() => void close()} disabled={pending}>
            {cancelLabel}
          </Button>
          <Button
            variant={isDanger ? 'danger-solid' : 'primary'}
            loading={pending}
            disabled={disabled || isOffline}
            {...(isEarly && { 'aria-disabled': true, className: 'opacity-60' })}
            {...(isDanger ? { onClick: submit } : { type: 'submit' as const })}
          >
            {Icon && <Icon aria-hidden />}
            {label}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

/** The server's refusal and the fields, or the space that stands for them. */
function FormBody({ refusal, children }: Pick<FormDialogProps, 'refusal' | 'children'>) {
  if (!refusal && !children) return <div className="pb-5" />
  return (
    <DialogBody>
      {refusal && (
        <Note tone="danger" role="alert" className={children ? 'mb-4' : ''}>
          {refusal}
        </Note>
      )}
      {children}
    </DialogBody>
  )
}

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const listFields = (form: HTMLFormElement | null) => [
  ...(form?.querySelectorAll<FormField>('input, textarea, select') ?? []),
]
const readValue = (field: FormField) =>
  field instanceof HTMLInputElement && field.type === 'checkbox' ? String(field.checked) : field.value.trim()

/** `isEdited` says whether a field differs from its value when the form appeared. */
function useEdits() {
  const form = useRef<HTMLFormElement>(null)
  const [initial] = useState(() => new WeakMap<FormField, string>())
  const watchForm = useCallback(
    (element: HTMLFormElement | null) => {
      form.current = element
      for (const field of listFields(element)) initial.set(field, readValue(field))
    },
    [initial],
  )
  const isEdited = () => listFields(form.current).some((field) => readValue(field) !== (initial.get(field) ?? ''))
  return { watchForm, isEdited }
}
