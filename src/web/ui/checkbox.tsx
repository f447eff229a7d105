import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

interface CheckboxProps {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  title?: string
  disabled?: boolean
  className?: string
  children: ReactNode
}

/** A box to tick, with what it means. */
export const Checkbox = ({ isChecked, onChange, title, disabled, className, children }: CheckboxProps) => (
  <label title={title} className={cn('flex items-center gap-2 text-13', className)}>
    <input
      type="checkbox"
      checked={isChecked}
      disabled={disabled}
      onChange={({ target }) => onChange(target.checked)}
      className="size-4 shrink-0 accent-(--accent)"
    />
    {children}
  </label>
)
