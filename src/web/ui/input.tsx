import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

export const controlLook =
  'w-full rounded-m border border-border-control print:border-transparent bg-transparent text-13 transition-[border-color] enabled-hover:border-quiet focus-visible:border-focus focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus aria-invalid:border-danger-solid disabled:border-border disabled:bg-canvas disabled:text-disabled'

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input className={cn(controlLook, 'h-(--control) px-2.5', className)} {...rest} />
)

export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea rows={3} className={cn(controlLook, 'block resize-y px-2.5 py-[7px] leading-4.5', className)} {...rest} />
)
