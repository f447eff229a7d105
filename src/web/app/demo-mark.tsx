import { FlaskConical } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'

/** Says that nothing on the screens is of a real platform. */
export default function DemoMark({ foldable }: { foldable: boolean }) {
  return (
    <p
      title="Demo data"
      className={cn(
        'mx-4 mb-2 flex items-center gap-1.5 text-12 text-quiet',
        foldable && 'folded:mx-0 folded:justify-center',
      )}
    >
      <FlaskConical aria-hidden strokeWidth={1.75} className="size-4 shrink-0" />
      <span className={cn(foldable && 'folded:sr-only')}>Demo data</span>
    </p>
  )
}
