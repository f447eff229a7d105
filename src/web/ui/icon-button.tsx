import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name, also shown on hover. */
  label: string
  tiny?: boolean
}

/** A button that is only an icon; it always has a name. */
export function IconButton({ label, tiny = false, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cn(
        'relative inline-grid print:hidden shrink-0 place-items-center text-quiet transition-[background-color,color] enabled-hover:bg-hover enabled-hover:text-ink enabled-press:bg-selected disabled:text-disabled aria-disabled:text-disabled',
        // The touch target is as large as that of other controls, but takes no space in the layout.
        tiny
          ? 'size-6 rounded-s max-md:after:absolute max-md:after:-inset-2 [&_svg]:size-3.5'
          : 'size-(--control) rounded-m [&_svg]:size-4',
        className,
      )}
      {...rest}
    />
  )
}
