import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import type { ListColumns } from './columns-popover.tsx'

const ColumnsPopover = lazy(() => import('./columns-popover.tsx'))

/** Opens the choice of columns. Pointing at it loads its code. */
export function ColumnsButton(columns: ListColumns) {
  const [isRequested, setRequested] = useState(false)
  const look = { label: 'Columns', className: 'max-md:hidden', children: <Columns3 aria-hidden /> }
  const button = (
    <IconButton
      {...look}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setRequested(true)}
      onPointerEnter={ColumnsPopover.prefetch}
      onFocus={ColumnsPopover.prefetch}
    />
  )
  if (!isRequested) return button
  return (
    <LazyBoundary fallback={button} onFailure={() => setRequested(false)}>
      <ColumnsPopover {...columns} trigger={<IconButton {...look} />} />
    </LazyBoundary>
  )
}
