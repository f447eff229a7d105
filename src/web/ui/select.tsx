import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { controlLook } from './input.tsx'

export interface Option {
  value: string
  label: string
}

interface SelectProps extends ComponentProps<'select'> {
  options: readonly Option[]
  /** 12 px text, for the head of a panel. */
  small?: boolean
}

/** The browser's own select: typing, arrow keys and touch lists come with it. Name it by `aria-label` or a label. */
export function Select({ options, small = false, className, ...rest }: SelectProps) {
  return (
    <span className={cn('relative inline-block', className)}>
      <select
        className={cn(
          controlLook,
          'appearance-none',
          small ? 'h-7 pr-7 pl-2.5 text-12! font-medium max-md:h-10' : 'h-(--control) pr-8 pl-2.5',
        )}
        {...rest}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value} className="bg-raised text-ink">
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className={cn(
          'pointer-events-none absolute top-1/2 -translate-y-1/2 text-quiet print:hidden',
          small ? 'right-2 size-3.5' : 'right-2.5 size-4',
        )}
      />
    </span>
  )
}
