import { cn } from '#web/lib/cn.ts'
import { getInitial } from '#web/lib/initial.ts'

export function Avatar({ name, big = false }: { name: string; big?: boolean }) {
  return (
    <span
      aria-hidden
      className={cn(
        'inline-grid shrink-0 place-items-center overflow-clip rounded-full bg-neutral-soft inset-ring inset-ring-border-strong leading-none font-semibold text-neutral-ink select-none',
        big ? 'size-11 text-16' : 'size-7 text-12',
      )}
    >
      {getInitial(name)}
    </span>
  )
}
