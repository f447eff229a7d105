import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral'

const grounds: Record<Tone, string> = {
  success: 'bg-success-soft text-success-ink',
  warning: 'bg-warning-soft text-warning-ink',
  danger: 'bg-danger-soft text-danger-ink',
  info: 'bg-info-soft text-info-ink',
  neutral: 'bg-neutral-soft text-neutral-ink',
}
const inks: Record<Tone, string> = {
  success: 'text-success-ink',
  warning: 'text-warning-ink',
  danger: 'text-danger-ink',
  info: 'text-info-ink',
  neutral: 'text-quiet',
}
export const toneInk = inks

const look = 'wraps-words inline-flex items-center align-middle whitespace-nowrap'

interface BadgeProps {
  tone?: Tone
  /** A state is never colour alone. */
  icon: LucideIcon
  /** Without ground, for states that need no look. */
  plain?: boolean
  className?: string
  children: ReactNode
}

/** A state: an icon, the word, and only then the colour. */
export function Badge({ tone = 'neutral', icon: Icon, plain = false, className, children }: BadgeProps) {
  if (plain) {
    return (
      <span className={cn(look, 'gap-1.5 text-13', className)}>
        <Icon aria-hidden strokeWidth={2} className={cn('size-3.5 shrink-0', inks[tone])} />
        {children}
      </span>
    )
  }
  return (
    <span
      className={cn(
        look,
        'min-h-5.5 gap-1 rounded-full forced-colors:border pr-2 pl-1.5 text-12 leading-none font-medium inset-ring inset-ring-current/14',
        grounds[tone],
        className,
      )}
    >
      <Icon aria-hidden strokeWidth={2} className="size-3.25 shrink-0" />
      {children}
    </span>
  )
}
