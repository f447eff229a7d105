import type { ReactNode } from 'react'

/** What can be done with a row: buttons on one line, at the right. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <span className="flex justify-end gap-1.5 blocks:flex-wrap rows:@max-[50rem]:gap-1 rows:@max-[50rem]:*:px-2">
    {children}
  </span>
)
