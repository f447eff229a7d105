import { useId, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

interface PanelProps {
  title: string
  /** At the right of the head: a select, a link. */
  end?: ReactNode
  className?: string
  children: ReactNode
}

/** A card on the page, named by its heading. */
export function Panel({ title, end, className, children }: PanelProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={cn('flex min-w-0 flex-col overflow-hidden rounded-l border bg-card', className)}
    >
      <div className="panel-head flex min-h-12 shrink-0 items-center gap-3 px-4">
        <h2 id={id} className="min-w-0 flex-1 truncate">
          {title}
        </h2>
        {end}
      </div>
      {children}
    </section>
  )
}
