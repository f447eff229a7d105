import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  /** A quiet figure beside the title. */
  count?: string | undefined
  /** At the right of the heading: a link. */
  end?: ReactNode
  className?: string
  children: ReactNode
}

/** A part of a tab under its heading. Its tables are the landmarks. */
export function Section({ title, count, end, className, children }: SectionProps) {
  return (
    <div className={className}>
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-x-2">
        <h2>{title}</h2>
        {count !== undefined && <span className="text-13 text-quiet tabular-nums">{count}</span>}
        {end && <span className="ml-auto">{end}</span>}
      </div>
      {children}
    </div>
  )
}

/** A sentence in place of a table without rows. */
export const Quiet = ({ children }: { children: ReactNode }) => <p className="text-13 text-quiet">{children}</p>

/** Text for a missing value. */
export const MissingValue = ({ children }: { children: ReactNode }) => <span className="text-quiet">{children}</span>
