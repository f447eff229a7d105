import type { ReactNode } from 'react'

/**
 * What can be done with a row: buttons on one line, at the right. Their boxes appear with the row's hover or focus, since a hundred boxes
 * a page would hide its data.
 */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <span className="row-actions flex justify-end-safe gap-1.5 blocks:flex-wrap blocks:[&_:is(a,button)]:min-h-11 blocks:[&_:is(a,button)]:min-w-11 rows:@max-[50rem]:gap-1 rows:@max-[50rem]:*:px-2">
    {children}
  </span>
)
