import { cn } from '#web/lib/cn.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The first letter of a name, as a person counts letters, in any script. */
function initialOf(name: string): string {
  const [first] = graphemes.segment(name.trim())
  return first?.segment.toLocaleUpperCase() ?? '?'
}

export function Avatar({ name, big = false }: { name: string; big?: boolean }) {
  return (
    <span
      aria-hidden
      className={cn(
        'inline-grid shrink-0 place-items-center rounded-full bg-neutral-soft leading-none font-semibold text-neutral-ink select-none',
        big ? 'size-11 text-16' : 'size-7 text-12',
      )}
    >
      {initialOf(name)}
    </span>
  )
}
