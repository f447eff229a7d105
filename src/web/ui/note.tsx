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
  /** A small button that answers the message, beside it where there is room. */
  action?: ReactNode
  children: ReactNode
}

/** A message that must not be overlooked. */
export function Note({ tone = 'info', role, className, action, children }: NoteProps) {
  const { icon: Icon, className: look } = looks[tone]
  return (
    <div role={role} className={cn('flex items-start gap-2 rounded-m px-3 py-2.5 text-13', look, className)}>
      <Icon aria-hidden className="mt-px size-4 shrink-0" />
      {action ? (
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
          <div className="min-w-0 break-words max-md:basis-full">{children}</div>
          {/* On one line with the text it makes the message no higher. */}
          <div className="text-ink md:-my-1.25">{action}</div>
        </div>
      ) : (
        <div className="min-w-0 break-words">{children}</div>
      )}
    </div>
  )
}
