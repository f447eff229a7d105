import { ArrowRight } from 'lucide-react'
import { cloneElement, type ReactElement, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

/** A strip of figures. */
export function Stats({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="stats rounded-l border bg-card">
      {children}
    </section>
  )
}

export interface StatProps {
  name: string
  figure: ReactNode
  /** What the figure compares with; put the number that counts in `<b>`. */
  comparison?: ReactNode
  /** The link to the list that yields the figure, without children: `<Link {...paths.members()} />`. */
  link?: ReactElement<{ className?: string; children?: ReactNode }>
}

export function Stat({ name, figure, comparison, link }: StatProps) {
  const className = cn(
    'block min-w-0 px-3.5 py-3 md:pt-3.5 wide:px-4 md:pb-[15px]',
    link && 'transition-colors -outline-offset-2! hover:bg-hover',
  )
  const content = (
    <>
      <span className="flex items-center justify-between gap-2 text-12 text-quiet wide:text-13">
        <span title={name} className="truncate">
          {name}
        </span>
        {link && <ArrowRight aria-hidden className="size-3.5 shrink-0 max-wide:hidden" />}
      </span>
      <span className="mt-1.5 mb-1 flex min-h-8.5 min-w-0 items-center text-28 font-[560] tabular-nums">{figure}</span>
      <span className="-my-1 block min-h-6 min-w-0 py-1 text-12 text-quiet tabular-nums wide:truncate [&_b]:font-medium [&_b]:text-ink">
        {comparison}
      </span>
    </>
  )
  return link ? cloneElement(link, { className, children: content }) : <div className={className}>{content}</div>
}
