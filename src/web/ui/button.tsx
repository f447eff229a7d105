import { cloneElement, isValidElement, type ComponentProps, type MouseEvent } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Spinner } from './spinner.tsx'

const look =
  'wraps-words print:hidden inline-flex shrink-0 items-center justify-center gap-1.5 rounded-m border leading-none font-medium whitespace-nowrap transition-[background-color,border-color,color] select-none disabled:border-border disabled:bg-canvas disabled:text-disabled disabled:shadow-none [&_svg]:size-4 [&_svg]:shrink-0'

const variants = {
  default:
    'border-border-strong bg-raised shadow-control enabled-hover:border-border-control enabled-hover:bg-hover enabled-press:bg-selected',
  primary:
    'border-accent bg-accent text-on-accent shadow-control enabled-hover:border-accent-hover enabled-hover:bg-accent-hover enabled-press:brightness-90',
  danger:
    'border-border-strong bg-raised text-danger-ink shadow-control enabled-hover:border-danger-solid enabled-hover:bg-danger-soft enabled-press:brightness-95',
  'danger-solid':
    'border-danger-solid bg-danger-solid text-on-danger shadow-control enabled-hover:border-danger-hover enabled-hover:bg-danger-hover enabled-press:brightness-90',
  /** Neutral in rows and red only in the dialog, since a page of red buttons warns of nothing. */
  'hover-danger':
    'border-border-strong bg-raised shadow-control enabled-hover:border-danger-solid enabled-hover:bg-danger-soft enabled-hover:text-danger-ink focus-visible:border-danger-solid focus-visible:bg-danger-soft focus-visible:text-danger-ink enabled-press:brightness-95',
  ghost:
    'border-transparent text-quiet enabled-hover:bg-hover enabled-hover:text-ink enabled-press:bg-selected disabled:border-transparent disabled:bg-transparent',
}

const sizes = {
  default: 'h-(--control) px-3 text-13',
  small: 'h-(--control-small) px-2.5 text-12 [&_svg]:size-3.5',
  large: 'h-10 px-4 text-14',
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof variants
  size?: keyof typeof sizes
  /** The work that this button started is running. It keeps place and focus and ignores clicks. */
  loading?: boolean
  /** Renders its only child (a link) with the button's look. */
  asChild?: boolean
}

export function Button({
  variant = 'default',
  size = 'default',
  loading = false,
  asChild = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const classes = cn(look, variants[variant], sizes[size], className)
  if (asChild && isValidElement<{ className?: string }>(children)) {
    return cloneElement(children, { ...rest, className: cn(classes, children.props.className) })
  }
  const click = (event: MouseEvent<HTMLButtonElement>) => (loading ? event.preventDefault() : onClick?.(event))
  return (
    <button
      type="button"
      className={cn(classes, loading && '[&>svg:not(:first-child)]:hidden')}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={click}
      {...rest}
    >
      {loading && <Spinner />}
      {children}
    </button>
  )
}
