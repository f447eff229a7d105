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
        'relative inline-grid shrink-0 place-items-center text-quiet transition-[background-color,color] hover:bg-hover hover:text-ink disabled:text-disabled',
        // As large under a finger as any other control, without room of its own.
        tiny
          ? 'size-6 rounded-s max-md:after:absolute max-md:after:-inset-2 [&_svg]:size-3.5'
          : 'size-(--control) rounded-m [&_svg]:size-4',
        className,
      )}
      {...rest}
    />
  )
}
