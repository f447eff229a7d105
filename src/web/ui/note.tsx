import { CircleAlert, Info, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

const looks: Record<'info' | 'warning' | 'danger', { icon: LucideIcon; className: string }> = {
  info: { icon: Info, className: 'bg-info-soft text-info-ink' },
  warning: { icon: TriangleAlert, className: 'bg-warning-soft text-warning-ink' },
  danger: { icon: CircleAlert, className: 'bg-danger-soft text-danger-ink' },
}

interface NoteProps {
  tone?: keyof typeof looks
  /** `alert` when it answers an action of the operator. */
  role?: 'alert' | 'status' | 'note'
  className?: string
  children: ReactNode
}

/** A message that must not be overlooked. */
export function Note({ tone = 'info', role, className, children }: NoteProps) {
  const { icon: Icon, className: look } = looks[tone]
  return (
    <div role={role} className={cn('flex items-start gap-2 rounded-m px-3 py-2.5 text-13', look, className)}>
      <Icon aria-hidden className="mt-px size-4 shrink-0" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  )
}
