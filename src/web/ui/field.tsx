import { CircleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

/** The attributes of the control inside a field. */
interface FieldControl {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  required: boolean
}

export interface FieldProps {
  label: string
  error?: string | null | undefined
  hint?: string | null | undefined
  optional?: boolean | undefined
  className?: string | undefined
  children: (control: FieldControl) => ReactNode
}

/** A label, its control, and what is wrong with it: `<Field label="Reason" error={…}>{(control) => <Input {...control} />}</Field>`. */
export function Field({ label, error, hint, optional = false, className, children }: FieldProps) {
  const id = useId()
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-13 font-medium">
        {label}
        {optional && <span className="font-regular text-quiet"> (optional)</span>}
      </label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined, required: !optional })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-12 text-quiet">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  )
}

/** An error beside its field. Screen readers announce it. */
export function FieldError({ id, className, children }: { id?: string; className?: string; children: ReactNode }) {
  if (!children) return null
  return (
    <p id={id} role="alert" className={cn('mt-1.5 flex items-start gap-1.5 text-12 text-danger-ink', className)}>
      <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      <span>{children}</span>
    </p>
  )
}
