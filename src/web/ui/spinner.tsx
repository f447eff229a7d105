import { LoaderCircle } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'

export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle aria-hidden className={cn('size-4 shrink-0 animate-spin', className)} />
)

/** Has the size of what is loading, so that nothing moves when it arrives. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden className={cn('skeleton', className)} />
)
