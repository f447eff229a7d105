import type { ReactNode } from 'react'

/** The reason at the left, the actions at the right; in a sheet below each other. */
export const ActionBar = ({ reason, children }: { reason: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2">
    <p className="min-w-0 flex-1 basis-48 text-13 wrap-anywhere">{reason}</p>
    <span className="flex flex-wrap gap-2 max-md:basis-full max-md:*:h-11 max-md:*:flex-1">{children}</span>
  </div>
)
