import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon?: LucideIcon
  title: string
  /** What would be here, and where it comes from. */
  children?: ReactNode
}

export function EmptyState({ icon: Icon, title, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-10 text-center text-13">
      {Icon && <Icon aria-hidden className="mb-2 size-5 text-quiet" />}
      <p className="font-medium">{title}</p>
      {children && <p className="max-w-100 text-quiet">{children}</p>}
    </div>
  )
}
